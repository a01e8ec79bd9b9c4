package io.lockkeeper.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.check.Linearizer.CellModel;
import io.lockkeeper.lab.check.Linearizer.Operation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counters and latches: by hand, and beside a search that tries every order. */
class LinearizerTest {

  private static final String COUNTER = "counter/a";
  private static final String LATCH = "latch/a";
  private static final int RUNS = 20_000;
  private static final int SPAN = 20;

  @Test
  void aCounterThatCountsIsFine() {
    Script script =
        new Script()
            .operate("p1#0", COUNTER, "add", 1, 0, 10, 2)
            .operate("p2#0", COUNTER, "add", 1, 5, 9, 1)
            .operate("p2#0", COUNTER, "get", 0, 11, 12, 2);

    assertThat(script.broken()).isEmpty();
  }

  @Test
  void aLostUpdateIsFound() {
    Script script =
        new Script()
            .operate("p1#0", COUNTER, "add", 1, 0, 10, 1)
            .operate("p2#0", COUNTER, "add", 1, 5, 9, 1);

    assertThat(script.broken()).containsExactly("CO1");
    assertThat(script.violations().get(0).evidence()).hasSize(4);
  }

  @Test
  void aStaleReadIsFound() {
    Script script =
        new Script()
            .operate("p1#0", COUNTER, "add", 1, 0, 10, 1)
            .operate("p2#0", COUNTER, "get", 0, 11, 12, 0);

    assertThat(script.broken()).containsExactly("CO1");
  }

  @Test
  void anOperationOfUnknownOutcomeMayHaveHappenedOrNotButOnlyOnce() {
    Script happened = unknownAdd().operate("p2#0", COUNTER, "get", 0, 20, 21, 1);
    Script late =
        unknownAdd()
            .operate("p2#0", COUNTER, "get", 0, 20, 21, 0)
            .operate("p2#0", COUNTER, "get", 0, 22, 23, 1);
    Script twice = unknownAdd().operate("p2#0", COUNTER, "get", 0, 20, 21, 2);
    Script undone =
        unknownAdd()
            .operate("p2#0", COUNTER, "get", 0, 20, 21, 1)
            .operate("p2#0", COUNTER, "get", 0, 22, 23, 0);

    assertThat(happened.broken()).isEmpty();
    assertThat(late.broken()).isEmpty();
    assertThat(twice.broken()).containsExactly("CO1");
    assertThat(undone.broken()).containsExactly("CO1");
  }

  private static Script unknownAdd() {
    return new Script()
        .value(0, "p1#0", EventKind.CALL, COUNTER, 1, "add")
        .value(10, "p1#0", EventKind.UNKNOWN, COUNTER, 0);
  }

  @Test
  void aStoreThatForgetsMayResetACounterOnce() {
    Script forgotten =
        new Script()
            .operate("p1#0", COUNTER, "add", 5, 0, 1, 5)
            .run(2, EventKind.MEMORY_LOST)
            .operate("p1#0", COUNTER, "get", 0, 10, 11, 0);
    Script again = forgotten.operate("p1#0", COUNTER, "get", 0, 20, 21, 5);

    assertThat(again.broken()).containsExactly("CO1");
  }

  @Test
  void anOpenLatchStaysOpen() {
    Script open =
        new Script()
            .operate("p1#0", LATCH, "set", 1, 0, 1, 1)
            .operate("p1#0", LATCH, "down", 1, 2, 3, 1)
            .operate("p2#0", LATCH, "await", 0, 0, 9, 1)
            .operate("p2#0", LATCH, "get", 0, 10, 11, 0);
    Script reopened =
        new Script()
            .operate("p1#0", LATCH, "set", 1, 0, 1, 1)
            .operate("p1#0", LATCH, "down", 1, 2, 3, 1)
            .operate("p2#0", LATCH, "get", 0, 4, 5, 0)
            .operate("p2#0", LATCH, "get", 0, 10, 11, 1);

    assertThat(open.broken()).isEmpty();
    assertThat(reopened.broken()).containsExactly("LA2");
  }

  @Test
  void aWaitForALatchThatReturnsTooSoonIsFound() {
    Script script =
        new Script()
            .operate("p1#0", LATCH, "set", 2, 0, 1, 1)
            .operate("p1#0", LATCH, "down", 1, 2, 3, 1)
            .operate("p2#0", LATCH, "await", 0, 4, 5, 1);

    assertThat(script.broken()).containsExactly("LA2");
  }

  @Test
  void manyThreadsAndManyUnknownOutcomesAreDecidedSoon() {
    Random random = new Random(1);
    List<Operation> operations = new ArrayList<>();
    long count = 0;
    for (int i = 0; i < 20_000; i++) {
      boolean known = random.nextInt(500) != 0;
      count++;
      operations.add(operation("add", 1, 10L * i, 10L * i + random.nextInt(100), count, known));
    }

    assertThat(new Linearizer(CellModel.COUNTER, operations).run().answer())
        .isEqualTo(Linearizer.Answer.POSSIBLE);
  }

  @Test
  void theSearchSaysWhatTryingEveryOrderSays() {
    long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    Random random = new Random(seed);
    int possible = 0;
    for (int run = 0; run < RUNS; run++) {
      CellModel model = random.nextBoolean() ? CellModel.COUNTER : CellModel.LATCH;
      List<Operation> operations = generate(model, random);
      boolean expected = naive(model, model.initial(), operations);
      boolean found =
          new Linearizer(model, operations).run().answer() == Linearizer.Answer.POSSIBLE;

      assertThat(found).as("seed %d, run %d: %s", seed, run, operations).isEqualTo(expected);
      possible += expected ? 1 : 0;
    }
    assertThat(possible).as("both answers occur").isBetween(RUNS / 20, RUNS - RUNS / 20);
  }

  private static List<Operation> generate(CellModel model, Random random) {
    List<Operation> operations = new ArrayList<>();
    int size = 2 + random.nextInt(5);
    for (int i = 0; i < size; i++) {
      String name = name(model, random);
      long argument = name.equals("set") || name.equals("raise") ? random.nextInt(3) : 1;
      long from = random.nextInt(SPAN);
      long to = from + 1 + random.nextInt(SPAN / 2);
      boolean known = name.equals("get") || name.equals("await") || random.nextInt(4) != 0;
      long result = (model == CellModel.LATCH ? -1L : 0L) + random.nextInt(4);
      boolean answersYesOrNo = model == CellModel.LATCH && !name.equals("get");
      operations.add(
          operation(name, argument, from, to, answersYesOrNo ? random.nextInt(2) : result, known));
    }
    return operations;
  }

  private static String name(CellModel model, Random random) {
    List<String> names =
        model == CellModel.COUNTER
            ? List.of("add", "get", "raise", "add")
            : List.of("set", "down", "get", "await", "down");
    return names.get(random.nextInt(names.size()));
  }

  private static Operation operation(
      String name, long argument, long from, long to, long result, boolean known) {
    Event call = Event.of(from, "p#0", EventKind.CALL, COUNTER, 1).with(argument, name);
    Event end = Event.of(to, "p#0", EventKind.RETURN, COUNTER, 1).with(result, "");
    return new Operation(call, known ? end : call, known);
  }

  /** Tries every order; those of unknown outcome may be left out. */
  private static boolean naive(CellModel model, long state, List<Operation> left) {
    if (left.stream().noneMatch(Operation::isKnown)) {
      return true;
    }
    for (Operation next : left) {
      boolean mayBeFirst =
          left.stream()
              .noneMatch(other -> other.isKnown() && other.end().nanos() < next.call().nanos());
      OptionalLong after = model.step(state, next);
      if (mayBeFirst && after.isPresent()) {
        List<Operation> rest = new ArrayList<>(left);
        rest.remove(next);
        if (naive(model, after.getAsLong(), rest)) {
          return true;
        }
      }
    }
    return false;
  }
}
