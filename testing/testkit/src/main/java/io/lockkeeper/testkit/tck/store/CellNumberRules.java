package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells that hold numbers: exact in 64 bits. */
interface CellNumberRules extends StoreRules {

  private static CellChange add(long delta) {
    return new CellChange.Add(delta, null, true);
  }

  private static CellChange addAboveZero(long delta) {
    return new CellChange.Add(delta, 0L, false);
  }

  private static CellChange put(long number) {
    return new CellChange.Put(CellValue.of(number), 0);
  }

  private static void assertNumbers(CellResult result, Verdict verdict, long before, long number) {
    assertThat(result.verdict()).isEqualTo(verdict);
    assertThat(result.before()).isEqualTo(before);
    assertThat(result.number()).isEqualTo(number);
  }

  @Test
  default void aCellThatIsNotThereCountsAsZero() {
    StoreClient client = client();
    CellResult result = client.change(1, add(5));

    assertNumbers(result, Verdict.DONE, 0, 5);
    assertThat(client.readPresent().value()).isEqualTo(CellValue.of(5));
    assertThat(client.readPresent().version()).isEqualTo(result.version());
    assertThat(client.readPresent().born()).isEqualTo(result.version());
  }

  @Test
  default void aCellIsNotBegunByAnAdditionThatMustNot() {
    StoreClient client = client();

    assertNumbers(client.change(1, addAboveZero(3)), Verdict.UNMET, 0, 0);

    assertThat(client.read(false, 0)).isEqualTo(new CellState.Absent());
  }

  @Test
  default void additionsOfOneUpdateFollowEachOther() {
    List<CellResult> results = client().update(1, add(5), add(-2), put(40), add(2));

    assertNumbers(results.get(0), Verdict.DONE, 0, 5);
    assertNumbers(results.get(1), Verdict.DONE, 5, 3);
    assertNumbers(results.get(2), Verdict.DONE, 3, 40);
    assertNumbers(results.get(3), Verdict.DONE, 40, 42);
    assertThat(results.get(3).version()).isGreaterThan(results.get(2).version());
    assertThat(client().readPresent().version()).isEqualTo(results.get(3).version());
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        Long.MAX_VALUE - 1,
        Long.MIN_VALUE + 1,
        (1L << 53) + 1,
        -(1L << 53) - 1,
        1_000_000_000_000_000_001L,
        -999_999_999_999_999_999L
      })
  default void additionIsExactInSixtyFourBits(long number) {
    StoreClient client = client();

    List<CellResult> results = client.update(1, put(number), add(1), add(-2), add(2));

    assertNumbers(results.get(1), Verdict.DONE, number, number + 1);
    assertNumbers(results.get(2), Verdict.DONE, number + 1, number - 1);
    assertNumbers(results.get(3), Verdict.DONE, number - 1, number + 1);
    assertThat(client.readPresent().value()).isEqualTo(CellValue.of(number + 1));
  }

  @Test
  default void whatDoesNotFitIsRefusedAndChangesNothing() {
    StoreClient client = client();
    long version = client.change(1, put(Long.MAX_VALUE)).version();

    CellResult above = client.change(2, add(1));
    assertNumbers(above, Verdict.OVERFLOW, Long.MAX_VALUE, Long.MAX_VALUE);
    assertThat(above.version()).isEqualTo(version);

    client.change(3, put(Long.MIN_VALUE));
    assertNumbers(client.change(4, add(-1)), Verdict.OVERFLOW, Long.MIN_VALUE, Long.MIN_VALUE);
    assertNumbers(
        client.change(5, add(Long.MIN_VALUE)), Verdict.OVERFLOW, Long.MIN_VALUE, Long.MIN_VALUE);
    assertThat(client.readPresent().value()).isEqualTo(CellValue.of(Long.MIN_VALUE));
  }

  @Test
  default void aSubtractionStopsAtTheFloor() {
    StoreClient client = client();
    List<CellResult> results =
        client.update(1, put(3), addAboveZero(-1), addAboveZero(-5), addAboveZero(-1));

    assertNumbers(results.get(1), Verdict.DONE, 3, 2);
    assertNumbers(results.get(2), Verdict.DONE, 2, 0);
    assertNumbers(results.get(3), Verdict.DONE, 0, 0);
    assertThat(results.get(3).version()).isEqualTo(results.get(2).version());
  }

  @Test
  default void whatIsBelowTheFloorStays() {
    List<CellResult> results =
        client().update(1, put(-7), addAboveZero(-1), addAboveZero(4), addAboveZero(4));

    assertNumbers(results.get(1), Verdict.DONE, -7, -7);
    assertNumbers(results.get(2), Verdict.DONE, -7, -3);
    assertNumbers(results.get(3), Verdict.DONE, -3, 1);
  }

  @Test
  default void aSubtractionThatStopsAtTheFloorCannotOverflow() {
    long floor = Long.MIN_VALUE + 5;
    CellChange deep = new CellChange.Add(Long.MIN_VALUE, floor, false);
    List<CellResult> results = client().update(1, put(-7), deep, deep, put(floor - 1), deep);

    assertNumbers(results.get(1), Verdict.DONE, -7, floor);
    assertNumbers(results.get(2), Verdict.DONE, floor, floor);
    assertNumbers(results.get(4), Verdict.DONE, floor - 1, floor - 1);
  }

  @Test
  default void aNumberIsReplacedIfItIsTheExpectedOne() {
    StoreClient client = client();
    assertNumbers(client.change(1, new CellChange.ReplaceNumber(1, 2)), Verdict.UNMET, 0, 0);
    assertThat(client.read(false, 0)).isEqualTo(new CellState.Absent());

    assertNumbers(client.change(2, new CellChange.ReplaceNumber(0, 9)), Verdict.DONE, 0, 9);
    assertNumbers(client.change(3, new CellChange.ReplaceNumber(0, 8)), Verdict.UNMET, 9, 9);
    assertNumbers(client.change(4, new CellChange.ReplaceNumber(9, 8)), Verdict.DONE, 9, 8);
  }

  @Test
  default void aNumberIsRaisedAndNotLowered() {
    StoreClient client = client();
    List<CellResult> results =
        client.update(
            1,
            new CellChange.Raise(-5),
            new CellChange.Raise(1L << 60),
            new CellChange.Raise((1L << 60) - 1),
            new CellChange.Raise((1L << 60) + 1));

    assertNumbers(results.get(0), Verdict.DONE, 0, 0);
    assertNumbers(results.get(1), Verdict.DONE, 0, 1L << 60);
    assertNumbers(results.get(2), Verdict.DONE, 1L << 60, 1L << 60);
    assertNumbers(results.get(3), Verdict.DONE, 1L << 60, (1L << 60) + 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "01", "-0", "+1", "1.0", " 1", "1e3", "-", "9223372036854775808"})
  default void whatIsNotANumberIsLeftAsItIs(String text) {
    StoreClient client = client();
    CellValue value = CellValue.of(text.getBytes(StandardCharsets.UTF_8));

    List<CellResult> results =
        client.update(
            1,
            new CellChange.Put(value, 0),
            add(1),
            addAboveZero(-1),
            new CellChange.Raise(1),
            new CellChange.ReplaceNumber(0, 1));

    assertThat(results.subList(1, 5)).allMatch(result -> result.verdict() == Verdict.NOT_A_NUMBER);
    assertThat(results.get(4).version()).isEqualTo(results.get(0).version());
    assertThat(client.readPresent().value()).isEqualTo(value);
  }

  @Test
  default void additionKeepsTheTimeToLive() {
    StoreClient client = client();
    client.change(1, new CellChange.Create(CellValue.of(1), KEPT_MILLIS));
    client.change(2, add(1));
    assertThat(client.readPresent().leftMicros()).isPositive();
    passBeyond(KEPT_MILLIS);

    assertNumbers(client.change(3, add(1)), Verdict.DONE, 0, 1);
    assertThat(client.readPresent().leftMicros()).isNegative();
  }

  @Test
  default void aNumberBegunAgainInOneUpdateIsANewCell() {
    StoreClient client = client();
    long born = client.change(1, add(4)).version();

    List<CellResult> results = client.update(2, new CellChange.Delete(), add(1));

    assertNumbers(results.get(1), Verdict.DONE, 0, 1);
    assertThat(client.readPresent().value()).isEqualTo(CellValue.of(1));
    assertThat(client.readPresent().born()).isGreaterThan(born);
  }

  @Test
  default void anAdditionThatIsRepeatedCountsOnce() {
    StoreClient client = client();
    CellResult first = client.change(1, add(1));
    client().change(1, add(10));

    assertThat(client.change(1, add(1))).isEqualTo(first);

    assertThat(client.readPresent().value()).isEqualTo(CellValue.of(11));
  }
}
