package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an order of operations, one after the other, that explains what they returned.
 *
 * <p>The search of Wing and Gong in Lowe's form, breadth first: it goes through the history, keeps
 * every possible state of the cell together with which of the operations under way have taken
 * effect in it, and has an operation take effect only when some return requires it. So equal
 * possibilities meet and are followed once. An operation of unknown outcome stays under way for
 * ever. Of several that are alike only one is tried, the one that returns first, since each may
 * stand for the others.
 */
final class Linearizer {

  /** How it went. */
  enum Answer {
    /** There is such an order. */
    POSSIBLE,
    /** There is none. */
    IMPOSSIBLE,
    /** There are too many possibilities. */
    UNDECIDED
  }

  /**
   * What was found.
   *
   * @param answer how it went
   * @param culprit the first operation whose return nothing explains
   */
  record Result(Answer answer, @Nullable Operation culprit) {}

  /** A state and the operations under way that have taken effect in it, by number. */
  private record Possibility(long state, Set<Integer> done) {}

  /** The beginning or the return of an operation. */
  private record Moment(long nanos, boolean isReturn, int operation) {}

  private static final int MOST = 200_000;

  private final CellModel model;
  private final List<Operation> operations;
  private final Set<Integer> underWay = new TreeSet<>();
  private Set<Possibility> possibilities;

  Linearizer(CellModel model, List<Operation> operations) {
    this.model = model;
    this.operations = operations;
    this.possibilities = Set.of(new Possibility(model.initial(), Set.of()));
  }

  Result run() {
    for (Moment moment : moments()) {
      if (!moment.isReturn()) {
        underWay.add(moment.operation());
        continue;
      }
      Set<Possibility> next = explain(moment.operation());
      if (next.size() > MOST) {
        return new Result(Answer.UNDECIDED, null);
      }
      if (next.isEmpty()) {
        return new Result(Answer.IMPOSSIBLE, operations.get(moment.operation()));
      }
      underWay.remove(moment.operation());
      possibilities = next;
    }
    return new Result(Answer.POSSIBLE, null);
  }

  /** A beginning comes before a return at the same time: so the two overlap. */
  private List<Moment> moments() {
    List<Moment> moments = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      moments.add(new Moment(operation.call().nanos(), false, i));
      if (operation.isKnown()) {
        moments.add(new Moment(operation.end().nanos(), true, i));
      }
    }
    moments.sort(Comparator.comparingLong(Moment::nanos).thenComparing(Moment::isReturn));
    return moments;
  }

  /** Returns all possibilities in which this operation has taken effect, as it does no more. */
  private Set<Possibility> explain(int returning) {
    Set<Possibility> explained = new HashSet<>();
    Set<Possibility> seen = new HashSet<>(possibilities);
    Deque<Possibility> open = new ArrayDeque<>(possibilities);
    while (!open.isEmpty() && seen.size() <= MOST) {
      Possibility here = open.remove();
      if (here.done().contains(returning)) {
        explained.add(without(here, returning));
        continue;
      }
      for (int candidate : underWay) {
        Possibility next = isWorthTrying(here, candidate) ? step(here, candidate) : null;
        if (next != null && seen.add(next)) {
          open.add(next);
        }
      }
    }
    return seen.size() > MOST ? seen : explained;
  }

  private boolean isWorthTrying(Possibility here, int candidate) {
    if (here.done().contains(candidate)) {
      return false;
    }
    Operation operation = operations.get(candidate);
    return underWay.stream()
        .filter(other -> other != candidate && !here.done().contains(other))
        .map(operations::get)
        .noneMatch(other -> other.isLike(operation) && other.goesBefore(operation));
  }

  private @Nullable Possibility step(Possibility here, int candidate) {
    OptionalLong state = model.step(here.state(), operations.get(candidate));
    if (state.isEmpty()) {
      return null;
    }
    Set<Integer> done = new TreeSet<>(here.done());
    done.add(candidate);
    return new Possibility(state.getAsLong(), done);
  }

  private static Possibility without(Possibility possibility, int operation) {
    Set<Integer> done = new TreeSet<>(possibility.done());
    done.remove(operation);
    return new Possibility(possibility.state(), done);
  }

  /**
   * One operation on a counter or latch.
   *
   * @param call its beginning: the note is its name, the value its argument
   * @param end its end, or its beginning again if it has none
   * @param isKnown whether it returned; if not, it may take effect at any time after its beginning
   */
  record Operation(Event call, Event end, boolean isKnown) {

    String name() {
      return call.note();
    }

    long argument() {
      return call.value();
    }

    long result() {
      return end.value();
    }

    /** Returns whether the two, while both are under way, may change places. */
    boolean isLike(Operation other) {
      return name().equals(other.name())
          && argument() == other.argument()
          && isKnown == other.isKnown
          && (!isKnown || result() == other.result());
    }

    /** Returns whether this one, of two that are alike, is to take effect first. */
    boolean goesBefore(Operation other) {
      return end.nanos() < other.end.nanos();
    }
  }

  /** What a counter or a latch is when nothing happens at the same time. */
  enum CellModel {
    /** A number that begins at 0. */
    COUNTER(0) {
      @Override
      OptionalLong step(long state, Operation operation) {
        return switch (operation.name()) {
          case "get" -> expect(operation, state, state);
          case "add" ->
              expect(operation, state + operation.argument(), state + operation.argument());
          case "set" -> OptionalLong.of(operation.argument());
          case "raise" -> {
            long raised = Math.max(state, operation.argument());
            yield expect(operation, raised, raised);
          }
          default -> wiped(operation, 0);
        };
      }
    },
    /** How often it has still to be counted down; {@value #UNSET} if it is not set. */
    LATCH(CellModel.UNSET) {
      @Override
      OptionalLong step(long state, Operation operation) {
        boolean set = state != UNSET;
        return switch (operation.name()) {
          case "set" -> expect(operation, set ? 0 : 1, set ? state : operation.argument());
          case "down" -> expect(operation, set ? 1 : 0, set ? Math.max(0, state - 1) : state);
          case "get" -> expect(operation, state, state);
          case "await" -> state == 0 ? OptionalLong.of(state) : OptionalLong.empty();
          default -> wiped(operation, UNSET);
        };
      }
    };

    /** The name of what happens to a cell when the store loses its memory. */
    static final String WIPE = "wipe";

    private static final long UNSET = -1;

    private final long initial;

    CellModel(long initial) {
      this.initial = initial;
    }

    /** Returns what it is before anybody has touched it. */
    long initial() {
      return initial;
    }

    /** Returns what an operation makes of it; empty if it could not have returned what it did. */
    abstract OptionalLong step(long state, Operation operation);

    private static OptionalLong expect(Operation operation, long result, long next) {
      boolean possible = !operation.isKnown() || operation.result() == result;
      return possible ? OptionalLong.of(next) : OptionalLong.empty();
    }

    private static OptionalLong wiped(Operation operation, long state) {
      if (!operation.name().equals(WIPE)) {
        throw new IllegalArgumentException("unknown operation " + operation.name());
      }
      return OptionalLong.of(state);
    }
  }
}
