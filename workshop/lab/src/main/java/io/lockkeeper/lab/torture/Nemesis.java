package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Breaks things, one or two at a time, in an order that its seed decides: everything once before
 * anything twice. In a short time each fault is short.
 */
final class Nemesis {

  private static final String NAME = "nemesis";
  private static final int LONGEST_PAUSE_MILLIS = 800;
  private static final int SHORTEST_MILLIS = 100;
  private static final int LONGEST_MILLIS = 3_000;

  /** One time in so many there are two faults at a time. */
  private static final int DOUBLE = 3;

  private record Blow(Fault fault, int victim) {}

  private final List<Fault> faults;
  private final Workers crew;
  private final Recorder recorder;
  private final Random random;
  private final Deque<Fault> deck = new ArrayDeque<>();
  private final int longestMillis;
  private final int longestPauseMillis;
  private long count;

  /**
   * Creates one.
   *
   * @param time for how long it is going to run
   */
  Nemesis(List<Fault> faults, Workers crew, Recorder recorder, Duration time, long seed) {
    long share = time.toMillis() / Math.max(1, faults.size());
    int average = (SHORTEST_MILLIS + LONGEST_MILLIS + LONGEST_PAUSE_MILLIS) / 2;
    double scale = Math.min(1, (double) share / average);
    this.longestMillis = Math.max(2 * SHORTEST_MILLIS, (int) (LONGEST_MILLIS * scale));
    this.longestPauseMillis = Math.max(SHORTEST_MILLIS, (int) (LONGEST_PAUSE_MILLIS * scale));
    this.faults = faults;
    this.crew = crew;
    this.recorder = recorder;
    this.random = new Random(seed); // faults alike in each run with this seed
  }

  /** Returns how many things were broken. */
  long count() {
    return count;
  }

  /** Goes on until this time, and leaves nothing broken. */
  void run(long untilNanos) throws InterruptedException {
    if (faults.isEmpty()) {
      pause(untilNanos, Long.MAX_VALUE);
      return;
    }
    while (System.nanoTime() < untilNanos) {
      List<Blow> blows = draw();
      int millis = SHORTEST_MILLIS + random.nextInt(longestMillis - SHORTEST_MILLIS);
      int restMillis = random.nextInt(longestPauseMillis);
      for (Blow blow : blows) {
        begin(blow);
      }
      pause(untilNanos, millis);
      for (Blow blow : blows) {
        end(blow);
      }
      pause(untilNanos, restMillis);
    }
  }

  /** Two faults at a time concern different workers, and the server at most once. */
  private List<Blow> draw() {
    List<Blow> blows = new ArrayList<>();
    Blow first = new Blow(pick(), random.nextInt(crew.size()));
    blows.add(first);
    if (random.nextInt(DOUBLE) != 0 || crew.size() == 1) {
      return blows;
    }
    Fault second = pick();
    if (first.fault().isOfServer() && second.isOfServer()) {
      deck.addFirst(second);
    } else {
      blows.add(new Blow(second, (first.victim() + 1) % crew.size()));
    }
    return blows;
  }

  private Fault pick() {
    if (deck.isEmpty()) {
      List<Fault> shuffled = new ArrayList<>(faults);
      Collections.shuffle(shuffled, random);
      deck.addAll(shuffled);
    }
    return deck.remove();
  }

  private void begin(Blow blow) {
    count++;
    String who = blow.fault().isOfServer() ? "" : " " + crew.worker(blow.victim()).name();
    record(EventKind.FAULT, blow.fault().title() + who);
    if (blow.fault().losesMemory()) {
      record(EventKind.MEMORY_LOST, blow.fault().title());
    }
    crew.stage().forgets(blow.fault()).ifPresent(kind -> record(kind, blow.fault().title()));
    blow.fault().begin(crew, blow.victim(), random);
  }

  private void end(Blow blow) {
    blow.fault().end(crew, blow.victim());
    record(EventKind.HEALED, blow.fault().title());
  }

  private void record(EventKind kind, String what) {
    recorder.record(Event.ofRun(System.nanoTime(), NAME, kind, what));
  }

  private static void pause(long untilNanos, long millis) throws InterruptedException {
    long left = Math.max(0, untilNanos - System.nanoTime());
    long nanos = millis > left / 1_000_000 ? left : millis * 1_000_000;
    TimeUnit.NANOSECONDS.sleep(nanos);
  }
}
