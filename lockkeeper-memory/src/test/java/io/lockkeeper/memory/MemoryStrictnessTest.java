package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.claim;
import static io.lockkeeper.memory.Fixture.get;
import static io.lockkeeper.memory.Fixture.granted;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Breaches of the protocol, which a lax store would let pass. */
class MemoryStrictnessTest {

  private final Fixture fixture = new Fixture();
  private final MemoryStore store = fixture.open("a");

  @Test
  void aSecondListener() {
    assertBreach(() -> store.listen(null));
  }

  @Test
  void anOperationBeforeTheListener() {
    MemoryStore deaf = fixture.openDeaf("deaf");
    assertBreach(() -> deaf.claim(claim(1)));
  }

  @Test
  void anOperationAfterClose() {
    store.close();
    assertBreach(() -> store.claim(claim(1)));
    assertBreach(() -> store.inspect("r"));
    assertBreach(() -> store.renew(List.of(new RenewRequest("r", 1, 50))));
  }

  @Test
  void aClaimNumberUsedForAnotherResource() {
    granted(store, claim("r", 1));
    assertBreach(() -> store.claim(claim("s", 1)));
  }

  @Test
  void aLeaseThatIsNotPositive() {
    assertBreach(() -> store.claim(new ClaimRequest("r", 1, 0, 1, true)));
    assertBreach(() -> store.claim(new ClaimRequest("r", 1, -1, 1, true)));
    assertBreach(() -> store.renew(List.of(new RenewRequest("r", 1, 0))));
  }

  @Test
  void aClaimWithoutTokens() {
    assertBreach(() -> store.claim(new ClaimRequest("r", 1, 50, 0, true)));
  }

  @Test
  void aRequeueThatIsNotAFurtherClaimOnTheResource() {
    Grant grant = granted(store, claim(1));
    assertBreach(() -> release(grant, claim("s", 2)));
    assertBreach(() -> release(grant, claim("r", 1)));
    assertBreach(() -> release(grant, new ClaimRequest("r", 2, 50, 1, false)));
    assertBreach(() -> release(grant, new ClaimRequest("r", 2, 0, 1, true)));
  }

  @Test
  void aTokenThatWasNotInTheBlock() {
    Grant grant = granted(store, claim(1));
    assertBreach(() -> store.release(new ReleaseRequest("r", 1, grant.lastToken() + 1, null)));
    get(store.release(new ReleaseRequest("r", 1, grant.lastToken(), null)));
  }

  @Test
  void anEmptyBatch() {
    assertBreach(() -> store.look(List.of()));
    assertBreach(() -> store.renew(List.of()));
  }

  private void release(Grant grant, ClaimRequest requeue) {
    store.release(new ReleaseRequest("r", grant.grant(), grant.lastToken(), requeue));
  }

  private static void assertBreach(ThrowingCallable call) {
    assertThatIllegalStateException().isThrownBy(call);
  }
}
