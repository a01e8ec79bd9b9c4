package io.lockkeeper.lab.oversell.contest;

import static io.lockkeeper.lab.oversell.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.oversell.Rows;
import io.lockkeeper.lab.oversell.shop.Books;
import org.junit.jupiter.api.Test;

class VariantResultTest {

  @Test
  void allSoldOnceIsNoProblem() {
    assertThat(row("lock", 0, 1_000).problems()).isEmpty();
  }

  @Test
  void overselling_isWhatTheStockDoesNotKnowOf() {
    assertThat(row("lock", 40, 1_000).oversold()).isEqualTo(40);
    assertThat(row("lock", 40, 1_000).problems()).containsExactly("40 oversold");
  }

  @Test
  void overselling_withoutALockIsToBeExpected() {
    assertThat(row("none", 900, 1_000).oversold()).isEqualTo(900);
    assertThat(row("none", 900, 1_000).problems()).isEmpty();
  }

  @Test
  void anOrderThatIsNotInTheBooksIsLost() {
    assertThat(row("setnx", 10, 990).problems()).containsExactly("10 orders lost");
  }

  @Test
  void theLockOfOneJvmIsHeldToItsPromiseToo() {
    assertThat(row("jvm", 1, 1_000).problems()).containsExactly("1 oversold");
  }

  @Test
  void tokensThatDoNotGrowAreAProblem() {
    assertThat(row("lock", new Books(0, 1_000, 3), 0, 0).problems())
        .containsExactly("3 fencing tokens that did not grow");
  }

  @Test
  void aBrokenOrderOfArrivalIsAProblem() {
    assertThat(row("fairLock", new Books(0, 1_000, 0), 0, 2).problems())
        .containsExactly("2 order violations");
  }

  @Test
  void whatAVariantWithoutALockGivesUpIsSaidAndNoProblem() {
    VariantResult row = Rows.givenUp("version", 20, "others were faster in 10 attempts");

    assertThat(row.problems()).isEmpty();
    assertThat(row.lost()).isZero();
    assertThat(row.remarks())
        .containsExactly("20 orders given up: others were faster in 10 attempts");
  }

  @Test
  void failedOrdersAreAProblemButNotLost() {
    assertThat(row("lock", new Books(4, 996, 0), 4, 0).problems())
        .containsExactly("4 orders failed, the first with java.lang.IllegalStateException: broken");
  }
}
