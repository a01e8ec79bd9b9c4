package io.lockkeeper.spi.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import java.math.BigInteger;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The rule of cells alone. Random updates repeat with {@code -Dlockkeeper.test.seed=N}. */
class CellRuleTest {

  private static final int STEPS = 200_000;
  private static final CellValue WORD = CellValue.of(new byte[] {'a', 'b'});
  private static final List<Long> NUMBERS =
      List.of(0L, 1L, -1L, 2L, 7L, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE);

  private static CellUpdate update(CellChange... changes) {
    return new CellUpdate(new CellId(CellKind.COUNTER, "c"), 1, List.of(changes), 60_000);
  }

  private static CellRule.Updated at(long now, CellContent before, CellChange... changes) {
    return CellRule.update(before.at(now), update(changes), CellRule.Writing.at(now));
  }

  private static CellContent with(CellValue value, long end) {
    return new CellContent(value, 5, 3, end);
  }

  @Test
  void aValueIsGoneWhenItsTimeIsOver() {
    CellContent content = at(100, CellContent.NONE, new CellChange.Put(WORD, 2)).after();

    assertThat(content.end()).isEqualTo(2_100);
    assertThat(content.at(2_099)).isEqualTo(content);
    assertThat(content.at(2_100).isPresent()).isFalse();
    assertThat(content.at(2_100).version()).isEqualTo(content.version());
  }

  @Test
  void aNumberKeepsTheTimeToLiveThatItsCellHas() {
    assertThat(at(10, with(CellValue.of(1), 90), new CellChange.Raise(3)).after().end())
        .isEqualTo(90);
    assertThat(at(100, with(CellValue.of(1), 90), new CellChange.Raise(3)).after().end())
        .isEqualTo(CellContent.NEVER);
  }

  @Test
  void aCellThatIsBegunAnewIsBornAnew() {
    CellContent first = at(10, CellContent.NONE, new CellChange.Put(WORD, 0)).after();
    CellContent second =
        at(10, first, new CellChange.Delete(), new CellChange.Put(WORD, 0)).after();

    assertThat(first.born()).isEqualTo(10);
    assertThat(second.born()).isEqualTo(12);
  }

  @Test
  void aReaderIsSparedWhatItKnows() {
    CellContent content = with(WORD, CellContent.NEVER);

    assertThat(content.state(5, 0)).isEqualTo(new CellState.Unchanged(5, -1));
    assertThat(content.state(4, 0)).isEqualTo(new CellState.Present(5, 3, WORD, -1));
    assertThat(content.ended().state(5, 0)).isEqualTo(new CellState.Absent());
  }

  @Test
  void aDifferenceStopsAtItsFloorAndNothingOverflows() {
    CellContent low = with(CellValue.of(Long.MIN_VALUE + 1), CellContent.NEVER);

    assertThat(at(1, low, new CellChange.Add(-5, 0L, true)).isChange()).isFalse();
    assertThat(at(1, low, new CellChange.Add(-5, null, true)).results().get(0).verdict())
        .isEqualTo(Verdict.OVERFLOW);
    assertThat(at(1, with(CellValue.of(3), 90), new CellChange.Add(-5, 1L, true)).after().value())
        .isEqualTo(CellValue.of(1));
  }

  /** Compares each change with what it says, in exact numbers. */
  @Test
  void aChangeDoesWhatItSaysOrNothing() {
    long seed = Long.getLong("lockkeeper.test.seed", new SplittableRandom().nextLong(1L << 40));
    SplittableRandom random = new SplittableRandom(seed);
    CellContent content = CellContent.NONE;
    long now = 1;
    for (int i = 0; i < STEPS; i++) {
      now += random.nextInt(3) * 700L;
      CellContent before = content.at(now);
      CellChange change = change(random, before);
      CellRule.Updated made = at(now, content, change);
      CellResult result = made.results().get(0);
      content = made.after();
      String step = "seed " + seed + ", step " + i + ": " + change + " of " + before;

      assertThat(made.before()).as(step).isEqualTo(before);
      assertThat(result.before()).as(step).isEqualTo(before.number());
      assertThat(result.number()).as(step).isEqualTo(content.number());
      assertThat(result.version()).as(step).isEqualTo(content.isPresent() ? content.version() : 0);
      if (made.isChange()) {
        assertThat(result.verdict()).as(step).isEqualTo(Verdict.DONE);
        assertThat(content.version()).as(step).isGreaterThan(before.version());
      } else {
        assertThat(content).as(step).isEqualTo(before);
      }
      assertThat(content.born())
          .as(step)
          .isEqualTo(
              !content.isPresent() ? 0 : before.isPresent() ? before.born() : content.version());
      if (change instanceof CellChange.Add add && result.verdict() == Verdict.DONE) {
        assertThat(BigInteger.valueOf(content.number())).as(step).isEqualTo(sum(before, add));
      }
    }
  }

  private static BigInteger sum(CellContent before, CellChange.Add add) {
    BigInteger number = BigInteger.valueOf(before.number());
    BigInteger sum = number.add(BigInteger.valueOf(add.delta()));
    Long floor = add.floor();
    return floor == null || add.delta() >= 0 || sum.compareTo(BigInteger.valueOf(floor)) >= 0
        ? sum
        : number.min(BigInteger.valueOf(floor));
  }

  private static CellChange change(SplittableRandom random, CellContent before) {
    long number = NUMBERS.get(random.nextInt(NUMBERS.size()));
    CellValue value = random.nextInt(4) == 0 ? WORD : CellValue.of(number);
    long ttl = random.nextInt(3);
    return switch (random.nextInt(8)) {
      case 0 -> new CellChange.Create(value, ttl);
      case 1 -> new CellChange.Put(value, ttl);
      case 2 -> new CellChange.Replace(before.version() - random.nextInt(2), value, ttl);
      case 3 -> new CellChange.ReplaceNumber(before.number() + random.nextInt(2), number);
      case 4 -> new CellChange.Raise(number);
      case 5 -> new CellChange.Delete();
      default ->
          new CellChange.Add(
              number,
              random.nextBoolean() ? null : NUMBERS.get(random.nextInt(NUMBERS.size())),
              random.nextBoolean());
    };
  }
}
