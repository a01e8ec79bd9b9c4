package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.QuorumToken;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs about what is made of several locks. */
class ComposedTest {

  @Test
  void moneyIsMovedInBothDirectionsAtOnce() throws Exception {
    TwoAccounts.Account alice = new TwoAccounts.Account("account:alice", 1_000);
    TwoAccounts.Account bob = new TwoAccounts.Account("account:bob", 1_000);
    TwoAccounts.run("memory:two-accounts", alice, bob);
    assertThat(alice.balance()).isEqualTo(1_000 - 1_000 + 3 * 1_000);
    assertThat(bob.balance()).isEqualTo(1_000 + 1_000 - 3 * 1_000);
  }

  @Test
  void aStockIsSoldUnderAMajorityLock() throws InterruptedException {
    MajorityLock.Stock stock = new MajorityLock.Stock(2);
    MajorityLock.run(List.of("memory:node-1", "memory:node-2", "memory:node-3"), stock);
    assertThat(stock.left()).isZero();
    assertThatThrownBy(() -> stock.sellOne(QuorumToken.of(List.of(1L, 1L))))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aHolderIsSeenAndForcedOut() throws InterruptedException {
    assertThat(WhoHoldsWhat.run("memory:who-holds-what"))
        .containsExactly("worker 7 holds nightly-report");
  }

  @Test
  void allCandidatesLeadInTurn() throws InterruptedException {
    assertThat(OneLeader.run("memory:one-leader")).containsExactly(0, 1, 2);
  }
}
