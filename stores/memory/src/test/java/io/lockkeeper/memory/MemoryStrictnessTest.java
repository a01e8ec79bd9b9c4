package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.claim;
import static io.lockkeeper.memory.Fixture.get;
import static io.lockkeeper.memory.Fixture.granted;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Breaches of the protocol, which a lax store would let pass. */
class MemoryStrictnessTest {

  private static final ResourceId SEMAPHORE = new ResourceId(ResourceKind.SEMAPHORE, "r");
  private static final ResourceId READ_WRITE = new ResourceId(ResourceKind.READ_WRITE_LOCK, "r");

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
    assertBreach(() -> store.inspect(ResourceId.lock("r")));
    assertBreach(() -> store.renew(List.of(new RenewRequest(ResourceId.lock("r"), 1, 50))));
  }

  @Test
  void aClaimNumberUsedForAnotherResource() {
    granted(store, claim(ResourceId.lock("r"), 1));
    assertBreach(() -> store.claim(claim(ResourceId.lock("s"), 1)));
  }

  @Test
  void aLeaseThatIsNotPositive() {
    assertBreach(() -> store.claim(new ClaimRequest(ResourceId.lock("r"), 1, 0, 1, true)));
    assertBreach(() -> store.claim(new ClaimRequest(ResourceId.lock("r"), 1, -1, 1, true)));
    assertBreach(() -> store.renew(List.of(new RenewRequest(ResourceId.lock("r"), 1, 0))));
  }

  @Test
  void aClaimWithoutTokens() {
    assertBreach(() -> store.claim(new ClaimRequest(ResourceId.lock("r"), 1, 50, 0, true)));
  }

  @Test
  void aRequeueThatIsNotAFurtherClaimOnTheResource() {
    Grant grant = granted(store, claim(1));
    assertBreach(() -> release(grant, claim(ResourceId.lock("s"), 2)));
    assertBreach(() -> release(grant, claim(ResourceId.lock("r"), 1)));
    assertBreach(() -> release(grant, new ClaimRequest(ResourceId.lock("r"), 2, 50, 1, false)));
    assertBreach(() -> release(grant, new ClaimRequest(ResourceId.lock("r"), 2, 0, 1, true)));
  }

  @Test
  void aTokenThatWasNotInTheBlock() {
    Grant grant = granted(store, claim(1));
    assertBreach(
        () ->
            store.release(
                new ReleaseRequest(ResourceId.lock("r"), 1, grant.lastToken() + 1, null)));
    get(store.release(new ReleaseRequest(ResourceId.lock("r"), 1, grant.lastToken(), null)));
  }

  @Test
  void aShareThatTheKindOfResourceDoesNotHave() {
    assertBreach(() -> store.claim(share(ResourceKind.LOCK, new Share(1, 2, false))));
    assertBreach(() -> store.claim(share(ResourceKind.READ_WRITE_LOCK, new Share(1, 2, false))));
    assertBreach(() -> store.claim(share(ResourceKind.BARRIER, new Share(2, 2, false))));
    assertBreach(() -> store.claim(share(ResourceKind.BARRIER, new Share(1, 0, false))));
    assertBreach(() -> store.claim(share(ResourceKind.BARRIER, new Share(1, 2, true))));
  }

  @Test
  void aShareWithABlockOfTokens() {
    assertBreach(
        () -> store.claim(new ClaimRequest(SEMAPHORE, 1, 50, 2, true, new Share(1, 3, false))));
  }

  @Test
  void aRequeueOfAShare() {
    ClaimRequest further = share(ResourceKind.SEMAPHORE, new Share(1, 3, false));
    assertBreach(() -> store.release(new ReleaseRequest(SEMAPHORE, 2, 0, further)));
  }

  @Test
  void anotherClientsGrantOfWhatIsNoSemaphore() {
    assertBreach(() -> store.release(new ReleaseRequest(ResourceId.lock("r"), "b", 1, 0, null)));
    assertBreach(() -> store.renew(List.of(new RenewRequest(READ_WRITE, "b", 1, 50, 0))));
  }

  @Test
  void aPartOfALockOrLessThanNothing() {
    assertBreach(
        () -> store.renew(List.of(new RenewRequest(ResourceId.lock("r"), null, 1, 50, 1))));
    assertBreach(() -> store.renew(List.of(new RenewRequest(SEMAPHORE, null, 1, 50, -1))));
  }

  @Test
  void aLimitOfWhatIsNoSemaphoreOrLessThanNothing() {
    assertBreach(() -> store.resize(resize(ResourceId.lock("r"), 1)));
    assertBreach(() -> store.resize(resize(READ_WRITE, 1)));
    assertBreach(() -> store.resize(resize(SEMAPHORE, -2)));
  }

  @Test
  void anEmptyBatch() {
    assertBreach(() -> store.poll(List.of()));
    assertBreach(() -> store.renew(List.of()));
  }

  private void release(Grant grant, ClaimRequest requeue) {
    store.release(
        new ReleaseRequest(ResourceId.lock("r"), grant.grant(), grant.lastToken(), requeue));
  }

  private static ClaimRequest share(ResourceKind kind, Share share) {
    return new ClaimRequest(new ResourceId(kind, "r"), 1, 50, 1, true, share);
  }

  private static void assertBreach(ThrowingCallable call) {
    assertThatIllegalStateException().isThrownBy(call);
  }

  private static ResizeRequest resize(ResourceId resource, int limit) {
    return new ResizeRequest(resource, 1, ResizeRequest.Kind.SET, limit, 3, 60_000);
  }
}
