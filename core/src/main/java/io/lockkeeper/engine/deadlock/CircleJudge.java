package io.lockkeeper.engine.deadlock;

import io.lockkeeper.engine.deadlock.WaitForBoard.Note;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Judges which circles to believe. Knows no store and no clock.
 *
 * <p>A circle is believed when it is still there after every client in it has looked at its threads
 * again: each of their waits has then lasted from before the first look at the whole circle until
 * after it, so at that moment they all waited and held at once. (A single look proves nothing: the
 * notes on the board were written at different times.) A believed circle is broken when every
 * client in it has noted that it believes it too, and so has told of it: once it is broken, who
 * comes late would find nothing.
 */
final class CircleJudge {

  /**
   * How long a believed circle is left alone when a client in it does not note that it believes.
   */
  static final long GRACE_NANOS = 2_000_000_000;

  /** Says what is to be done about a circle. */
  enum Verdict {
    /** It is certain: the clients in it are notified. */
    TELL,
    /** It is to be broken. */
    BREAK
  }

  /**
   * Names a circle about which something is to be done.
   *
   * @param members its members, in the order in which they wait for each other
   * @param verdict what is to be done
   */
  record Case(List<Suspect> members, Verdict verdict) {}

  /**
   * Says what follows from one look.
   *
   * @param cases what is to be done, in order
   * @param needsNote whether one of the circles needs a new note of this client
   */
  record Judgement(List<Case> cases, boolean needsNote) {}

  /** Follows a circle, from the look at which it was seen first until it is there no more. */
  private static final class Circle {

    /** The number of each client's note when the circle was first seen. */
    final Map<String, Long> firstNumbers;

    /** The keys of the waits in it. */
    final Set<String> waits;

    boolean believed;
    long believedNanos;
    boolean settled;

    Circle(Map<String, Long> firstNumbers, List<Suspect> members) {
      this.firstNumbers = firstNumbers;
      this.waits = members.stream().map(Suspect::key).collect(Collectors.toSet());
    }

    /** Returns whether each client has looked again since. */
    boolean isConfirmed(WaitForBoard board) {
      return firstNumbers.entrySet().stream()
          .allMatch(
              entry -> {
                Note note = board.notes().get(entry.getKey());
                return note != null && note.number() > entry.getValue();
              });
    }
  }

  /** The circles that are there, by their waits and holds. */
  private final Map<String, Circle> circles = new HashMap<>();

  /**
   * Takes the circles a step on.
   *
   * @param found the circles that are there now
   * @param board the board in which they were found
   * @param number the number of this client's note, if that is not on the board
   */
  Judgement judge(List<List<Suspect>> found, WaitForBoard board, long number, long now) {
    Set<String> present = new HashSet<>();
    List<Case> cases = new ArrayList<>();
    boolean needsNote = false;
    for (List<Suspect> members : found) {
      String key = key(members);
      present.add(key);
      Circle circle =
          circles.computeIfAbsent(key, k -> new Circle(numbers(members, board, number), members));
      needsNote |= !circle.believed; // also at the look that believes it: others may need this note
      if (!circle.believed && circle.isConfirmed(board)) {
        circle.believed = true;
        circle.believedNanos = now;
        cases.add(new Case(members, Verdict.TELL));
      } else if (circle.believed
          && !circle.settled
          && (members.stream().allMatch(Suspect::told)
              || now - circle.believedNanos >= GRACE_NANOS)) {
        circle.settled = true;
        cases.add(new Case(members, Verdict.BREAK));
      }
    }
    circles.keySet().retainAll(present);
    return new Judgement(cases, needsNote);
  }

  /** Returns these waits, and of each whether it is in a circle that is believed. */
  List<Suspect> marked(List<Suspect> suspects) {
    return suspects.stream().map(suspect -> suspect.withTold(isBelieved(suspect.key()))).toList();
  }

  private boolean isBelieved(String wait) {
    return circles.values().stream()
        .anyMatch(circle -> circle.believed && circle.waits.contains(wait));
  }

  /** Returns whether nothing is still to be decided about any circle. */
  boolean isCalm() {
    return circles.values().stream().allMatch(circle -> circle.settled);
  }

  /** Forgets everything. */
  void clear() {
    circles.clear();
  }

  private static String key(List<Suspect> circle) {
    return circle.stream()
        .map(member -> member.key() + member.holds())
        .sorted()
        .collect(Collectors.joining("\n"));
  }

  private static Map<String, Long> numbers(List<Suspect> circle, WaitForBoard board, long number) {
    Map<String, Long> numbers = new HashMap<>();
    for (Suspect member : circle) {
      Note note = board.notes().get(member.client());
      numbers.put(member.client(), note == null ? number : note.number());
    }
    return numbers;
  }
}
