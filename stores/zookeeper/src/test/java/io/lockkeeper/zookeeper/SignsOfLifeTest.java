package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How long a session is sure to last; a request reaches the leader's clock within two seconds. */
class SignsOfLifeTest {

  private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(40);

  private final SignsOfLife signs = new SignsOfLife(seconds(100));

  private static long seconds(long count) {
    return TimeUnit.SECONDS.toNanos(count);
  }

  private long sureSeconds(long at) {
    return TimeUnit.NANOSECONDS.toSeconds(signs.sureNanos(seconds(at), TIMEOUT));
  }

  @Test
  void aNewSessionLastsForItsTimeoutFromItsBeginning() {
    assertThat(sureSeconds(100)).isEqualTo(40);
    assertThat(sureSeconds(130)).isEqualTo(10);
    assertThat(sureSeconds(141)).isZero();
  }

  @Test
  void aRequestCountsFromWhenItWasSentOnceItHasBeenReported() {
    signs.add(seconds(106), seconds(107));

    assertThat(sureSeconds(108)).isEqualTo(32);
    assertThat(sureSeconds(109)).isEqualTo(37);
  }

  @Test
  void afterASuspensionTheFirstRequestIsNoSignYet() {
    signs.add(seconds(106), seconds(106));
    signs.add(seconds(136), seconds(136));

    assertThat(sureSeconds(137)).isEqualTo(9);
    assertThat(sureSeconds(138)).isEqualTo(38);
  }

  @Test
  void aSlowAnswerTakesNothingFromTheOneBefore() {
    signs.add(seconds(106), seconds(106));
    signs.add(seconds(107), seconds(120));

    assertThat(sureSeconds(112)).isEqualTo(34);
    assertThat(sureSeconds(122)).isEqualTo(25);
  }

  @Test
  void theLatestRequestsAreEnoughHoweverManyThereWere() {
    for (int i = 0; i < 1_000; i++) {
      signs.add(seconds(100 + 6 * i), seconds(100 + 6 * i));
    }

    assertThat(sureSeconds(100 + 6 * 999 + 1)).isEqualTo(33);
  }
}
