package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.rule.CellContent;
import io.lockkeeper.spi.rule.CellRule;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in the node of a cell, and what is made of a server's clock. */
class CellRecordTest {

  private static final String PATH = "/lockkeeper/app/ctr/stock";

  private static CellRecord updated(CellRecord base, CellChange... changes) {
    CellUpdate update =
        new CellUpdate(new CellId(CellKind.COUNTER, "stock"), 7, List.of(changes), 60_000);
    return base.with(CellRule.update(base.content(), update, CellRecord.WRITING), "client", update);
  }

  private static Stat stat(long zxid, long millis) {
    Stat stat = new Stat();
    stat.setMzxid(zxid);
    stat.setMtime(millis);
    return stat;
  }

  private static CellRecord written(CellRecord record, Stat stat) {
    return CellRecord.read(PATH, record.write(), stat);
  }

  @Test
  void versionsAndTimesAreThoseOfTheWriting() {
    CellRecord record =
        written(
            updated(
                CellRecord.NONE,
                new CellChange.Put(CellValue.of(3), 500),
                new CellChange.Add(2, null, true)),
            stat(0x1_0000_0002L, 1_000_000));

    assertThat(record.value()).isEqualTo(CellValue.of(5));
    assertThat(record.content().born()).isEqualTo((0x1_0000_0002L << 7) + 1);
    assertThat(record.version()).isEqualTo((0x1_0000_0002L << 7) + 2);
    assertThat(record.endMillis()).isEqualTo(1_000_500);
    CellRecord.Memory memory = record.memories().get("client");
    assertThat(memory.batch()).isEqualTo(7);
    assertThat(memory.untilMillis()).isEqualTo(1_060_000);
    assertThat(memory.results())
        .containsExactly(
            new CellResult(Verdict.DONE, record.content().born(), 0, 3),
            new CellResult(Verdict.DONE, record.version(), 3, 5));
  }

  @Test
  void whatAnEarlierWritingGaveStays() {
    CellRecord first =
        written(updated(CellRecord.NONE, new CellChange.Put(CellValue.of(3), 500)), stat(5, 1_000));
    CellRecord second = written(updated(first, new CellChange.Add(1, null, true)), stat(9, 1_200));

    assertThat(second.content().born()).isEqualTo(first.content().born());
    assertThat(second.version()).isEqualTo((9 << 7) + 1);
    assertThat(second.endMillis()).isEqualTo(1_500);
  }

  @Test
  void anyBytesAreAValue() {
    byte[] bytes = "\n\nlockkeeper-cell1 -\n\0\u00ff".getBytes(StandardCharsets.ISO_8859_1);
    CellRecord record =
        written(
            updated(CellRecord.NONE, new CellChange.Put(CellValue.of(bytes), 0)), stat(5, 1_000));

    assertThat(record.value()).isEqualTo(CellValue.of(bytes));
    assertThat(record.endMillis()).isEqualTo(CellContent.NEVER);
  }

  @Test
  void numbersAtTheLimitsAreRemembered() {
    CellRecord record =
        written(
            updated(
                CellRecord.NONE,
                new CellChange.Raise(Long.MAX_VALUE),
                new CellChange.Put(CellValue.of(Long.MIN_VALUE), 0),
                new CellChange.Add(1, null, true)),
            stat(5, 1_000));

    assertThat(record.memories().get("client").results())
        .extracting(CellResult::number)
        .containsExactly(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "lockkeeper-cell1", "lockkeeper-cell1 + a b c\n\n", "\n\n"})
  void whatSomebodyElseWroteIsNotTouched(String data) {
    byte[] bytes = data.getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> CellRecord.read(PATH, bytes, stat(5, 1_000)))
        .isInstanceOf(ZkFailures.ForeignRecordException.class)
        .hasMessageContaining(PATH);
  }

  @Test
  void aServersClockIsAskedOnlyWhenInDoubt() {
    AtomicLong nanos = new AtomicLong();
    AtomicLong serverMillis = new AtomicLong(1_000_000);
    AtomicLong asked = new AtomicLong();
    TimeSource time = nanos::get;
    ServerClock clock =
        new ServerClock(
            time,
            () -> {
              asked.incrementAndGet();
              return CompletableFuture.completedFuture(stat(1, serverMillis.get()));
            });
    assertThat(clock.isOver(1_000_100).join()).isFalse();
    assertThat(asked).hasValue(1);

    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(200));
    assertThat(clock.isOver(1_000_100).join()).isTrue();
    assertThat(clock.isOver(1_000_300).join()).isFalse();
    assertThat(asked).hasValue(1);

    serverMillis.set(500_000); // set back; soon that is noticed
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
    assertThat(clock.isOver(1_000_100).join()).isFalse();
    assertThat(asked).hasValue(2);
    assertThat(clock.reachedMillis()).isEqualTo(500_000);
  }
}
