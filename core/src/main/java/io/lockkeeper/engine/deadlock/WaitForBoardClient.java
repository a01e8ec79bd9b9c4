package io.lockkeeper.engine.deadlock;

import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the board at the store, a cell, and remembers what this client has noted there.
 * Only used by one look at a time.
 */
final class WaitForBoardClient {

  static final CellId BOARD = new CellId(CellKind.NOTES, "waits");

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final ClientRuntime runtime;
  private final long ttlMillis;

  /** How many batches and notes this client has written. */
  private long written;

  private volatile List<Suspect> noted = List.of();
  private long notedNanos;

  /**
   * Creates one.
   *
   * @param ttlMillis after which time without a write the board ends by itself
   */
  WaitForBoardClient(ClientRuntime runtime, long ttlMillis) {
    this.runtime = runtime;
    this.ttlMillis = ttlMillis;
  }

  /**
   * Holds what the store has.
   *
   * @param board what is on the board
   * @param present the cell, or null if there is none
   */
  record Reading(WaitForBoard board, CellState.@Nullable Present present) {}

  /** Reads the board; there is no reading if the store does not answer. */
  CompletionStage<Optional<Reading>> read(boolean watch) {
    return runtime
        .store()
        .read(List.of(new CellRead(BOARD, watch, 0)))
        .thenApply(outcomes -> reading(outcomes.get(0)));
  }

  private static Optional<Reading> reading(Outcome<CellState> outcome) {
    if (!(outcome instanceof Outcome.Answered<CellState> answered)) {
      return Optional.empty(); // the store has other worries
    }
    CellState.Present present = answered.answer() instanceof CellState.Present found ? found : null;
    return Optional.of(new Reading(board(present), present));
  }

  private static WaitForBoard board(CellState.@Nullable Present present) {
    if (present == null) {
      return new WaitForBoard();
    }
    try {
      return WaitForBoard.read(present.value());
    } catch (IllegalArgumentException malformed) {
      LOG.log(Level.WARNING, "the board of waits is begun anew", malformed);
      return new WaitForBoard();
    }
  }

  /** Returns the number of the next note. */
  long nextNumber() {
    return written + 1;
  }

  /** Returns whether this client has a note on the board. */
  boolean hasNote() {
    return !noted.isEmpty();
  }

  /** Returns whether the last note says the same. */
  boolean hasNoted(List<Suspect> suspects) {
    List<Suspect> known = noted;
    if (suspects.size() != known.size()) {
      return false;
    }
    for (int i = 0; i < suspects.size(); i++) {
      if (!suspects.get(i).isSameAs(known.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the last note was written that long ago. */
  boolean isNoteOlderThan(long nanos) {
    return runtime.now() - notedNanos >= nanos;
  }

  /**
   * Writes a board in place of the one that was read; returns whether nobody else was faster.
   *
   * @param number the number of this client's note in it
   * @param suspects what that note says
   */
  CompletionStage<Boolean> write(Reading reading, long number, List<Suspect> suspects) {
    return write(reading, number)
        .thenApply(
            done -> {
              if (done) {
                noted = suspects;
                notedNanos = runtime.now();
              }
              return done;
            });
  }

  private CompletionStage<Boolean> write(Reading reading, long number) {
    WaitForBoard board = reading.board();
    CellState.Present present = reading.present();
    written = number;
    CellChange change;
    if (present == null) {
      if (board.notes().isEmpty()) {
        return CompletableFuture.completedFuture(true);
      }
      change = new CellChange.Create(board.write(), ttlMillis);
    } else {
      change = new CellChange.Replace(present.version(), board.write(), ttlMillis);
    }
    List<CellChange> changes = new ArrayList<>(List.of(change));
    if (board.notes().isEmpty()) {
      changes.add(new CellChange.Delete());
    }
    return runtime
        .store()
        .update(new CellUpdate(BOARD, number, changes, ttlMillis))
        .thenApply(WaitForBoardClient::isDone);
  }

  private static boolean isDone(Outcome<CellUpdated> outcome) {
    return outcome instanceof Outcome.Answered<CellUpdated> answered
        && answered.answer().results().get(0).verdict() == CellResult.Verdict.DONE;
  }
}
