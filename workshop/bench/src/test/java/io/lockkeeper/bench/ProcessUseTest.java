package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessUseTest {

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatAnotherThreadOfThisProcessUsedIsCounted() throws InterruptedException {
    CountDownLatch slept = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ProcessUse before = ProcessUse.here();
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < 10; i++) {
                Sleep.nanos(TimeUnit.MILLISECONDS.toNanos(1));
              }
              slept.countDown();
              await(end);
            });
    thread.start();
    slept.await();

    ProcessUse.Spent spent = ProcessUse.here().since(before);

    end.countDown();
    thread.join();
    assertThat(spent.cpuNanos()).isPositive();
    assertThat(spent.switches()).isPositive();
  }

  @Test
  void ofAProcessThatIsNotThereNothingIsKnown() {
    ProcessUse nothing = ProcessUse.of(List.of(Long.MAX_VALUE));

    assertThat(nothing.since(nothing).cpuNanos()).isNaN();
    assertThat(nothing.since(nothing).switches()).isNaN();
  }

  @Test
  void threadsThatBeganCountAndThoseThatEndedDoNot() {
    Map<String, Long> before = Map.of("kept", 5L, "ended", 100L);
    Map<String, Long> after = Map.of("kept", 7L, "began", 3L);

    assertThat(ProcessUse.growth(before, after)).isEqualTo(2 + 3);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
