package io.lockkeeper.engine.deadlock;

import java.util.HashMap;
import java.util.Map;

/**
 * Ages the notes on the board: a client that has not looked at its threads for a long time is dead,
 * or has other worries. No clock is compared with another's: what counts is for how long this
 * client has seen the same number.
 */
final class AbsentClients {

  /** A note's number, and when it was first seen. */
  private record Sight(long number, long sinceNanos) {}

  private final long absentAfterNanos;
  private final Map<String, Sight> sights = new HashMap<>();

  AbsentClients(long absentAfterNanos) {
    this.absentAfterNanos = absentAfterNanos;
  }

  /** Takes the notes of absent clients off a board. */
  void removeFrom(WaitForBoard board, long now) {
    sights.keySet().retainAll(board.notes().keySet());
    board
        .notes()
        .entrySet()
        .removeIf(note -> now - firstSeen(note.getKey(), note.getValue(), now) > absentAfterNanos);
  }

  private long firstSeen(String client, WaitForBoard.Note note, long now) {
    Sight known = sights.get(client);
    if (known == null || known.number() != note.number()) {
      known = new Sight(note.number(), now);
      sights.put(client, known);
    }
    return known.sinceNanos();
  }

  /** Forgets everything. */
  void clear() {
    sights.clear();
  }
}
