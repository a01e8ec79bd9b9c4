package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.oversell.CachedStock;
import io.lockkeeper.lab.oversell.Points;
import io.lockkeeper.lab.scene.app.Turns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What goes wrong, made to happen: orders are made to wait at named points, and processes are
 * killed or frozen, so that nothing depends on luck. An order A meets it; B, and C, come meanwhile.
 */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum Mishap {
  OVERLAP(
      "A waits between reading and writing the stock, and B comes",
      2,
      trial -> overlap(trial, Points.READ)),
  FREE(
      "A waits between EXISTS and SET, and B comes",
      2,
      trial -> overlap(trial, Points.FREE, Points.READ)),
  COMMIT(
      "A waits before its transaction commits, and B comes",
      2,
      trial -> overlap(trial, Points.COMMIT)),
  KILL("the process of A is killed (kill -9) while A holds the lock, and B comes", 1, Mishap::kill),
  LATE_RELEASE(
      "A releases after its lease has ended and B has the lock, and C comes",
      3,
      trial -> lateRelease(trial, Points.LEAVING)),
  COMPARED(
      "the lease of A ends between its GET and its DEL, B gets the lock, and C comes",
      3,
      trial -> lateRelease(trial, trial.isBroken() ? Points.COMPARED : Points.LEAVING)),
  NESTED("A takes the lock again while it holds it", 1, Mishap::nested),
  OUTLIVE("A works for longer than its lease, and B comes", 2, Mishap::outlive),
  FROZEN(
      "the process of A stands still for longer than its lease, B comes, A writes",
      1,
      Mishap::freeze),
  DEADLOCK("A has locked one of two rows and B the other", 2, Mishap::deadlock),
  BREAKDOWN(
      "a hot key has expired: A loads its value, and eight others ask for it",
      0,
      Mishap::breakDown),
  AVALANCHE(
      "A loads " + CachedStock.MANY_KEYS + " keys together, of one time to live",
      0,
      Mishap::loadMany),
  PENETRATION(
      "a key that does not exist is asked for nine times, one after the other",
      0,
      Mishap::penetrate),
  OTHER_ROW("A has locked one row of a table, and B wants another one", 1, Mishap::wantOtherRow),
  HERD("A holds the lock and eight others wait; A releases", 3, Mishap::wakeUp);

  /** What happens; returns what broke besides the stock, in a few words, or nothing. */
  private interface Course {
    String happen(Trial trial) throws InterruptedException;
  }

  /** How long an order that hangs is watched hanging. */
  private static final Duration HANG = Duration.ofSeconds(3);

  private static final int WAITING = 8;
  private static final Duration SHORT_LEASE = Duration.ofSeconds(1);
  private static final Duration LONG_LEASE = Duration.ofSeconds(30);

  /** Of what is cached: minutes, as usual, or so short that much expires while a load goes on. */
  private static final Duration LONG_LIFE = Duration.ofMinutes(10);

  private static final Duration SHORT_LIFE = Duration.ofMillis(250);
  private static final Duration WINDOW = Duration.ofSeconds(1);

  private final String summary;
  private final int sales;
  private final Course course;

  /**
   * Creates one.
   *
   * @param sales how many pieces the cure sells meanwhile
   */
  Mishap(String summary, int sales, Course course) {
    this.summary = summary;
    this.sales = sales;
    this.course = course;
  }

  /**
   * Makes it happen.
   *
   * @return what broke besides the stock, in a few words, or nothing
   */
  String happen(Trial trial) throws InterruptedException {
    return course.happen(trial);
  }

  String summary() {
    return summary;
  }

  /** Returns whether the instances are of no use afterwards. */
  boolean spoils() {
    return this == KILL;
  }

  /** Returns how many orders end badly with the cure too, because their holder met it. */
  private int losses() {
    return switch (this) {
      case KILL, FROZEN, LATE_RELEASE, COMPARED -> 1;
      default -> 0;
    };
  }

  /** Returns what the cure did not do that it should, in a few words, or nothing. */
  String shortfall(Books books, List<Order> orders) {
    List<String> words = new ArrayList<>();
    if (books.sold() != sales) {
      words.add("sold " + books.sold() + " instead of " + sales);
    }
    List<String> failures =
        orders.stream().filter(order -> !order.isAnswered()).map(Order::failure).toList();
    if (failures.size() > losses()) {
      words.addAll(failures);
    }
    return String.join("; ", words);
  }

  boolean isOfCaches() {
    return this == BREAKDOWN || this == AVALANCHE || this == PENETRATION;
  }

  /** Returns the lease of locks: short if its end is waited for. */
  Duration lease() {
    return switch (this) {
      case BREAKDOWN, AVALANCHE, PENETRATION -> LONG_LIFE;
      case KILL, OUTLIVE, FROZEN -> SHORT_LEASE;
      default -> LONG_LEASE;
    };
  }

  Duration leaseUnderLoad() {
    return isOfCaches() ? SHORT_LIFE : LONG_LEASE;
  }

  private static Order reading(Trial trial) throws InterruptedException {
    Order a = trial.order("A", trial.first(), Points.READ);
    trial.mustBeAt(a, Points.READ);
    return a;
  }

  private static List<Order> eightMore(Trial trial, String point, int times)
      throws InterruptedException {
    List<Order> others = new ArrayList<>();
    for (int i = 1; i <= WAITING; i++) {
      others.add(trial.order("B" + i, i % 2 == 0 ? trial.first() : trial.last(), Points.READ));
    }
    trial.must("all ask or wait", () -> trial.count(point) == times);
    return others;
  }

  private static String kill(Trial trial) throws InterruptedException {
    reading(trial);
    trial.first().close();
    Order b = trial.order("B", trial.last(), "");
    return trial.hangs(b, HANG) ? "B waits for ever" : "";
  }

  private static String nested(Trial trial) throws InterruptedException {
    Order a = trial.order("A", trial.first(), "", Points.NESTED);
    return trial.hangs(a, HANG) ? "A waits for itself" : "";
  }

  private static String outlive(Trial trial) throws InterruptedException {
    Order a = reading(trial);
    Order b = trial.order("B", trial.last(), "");
    trial.mayOnlyIfBroken(b::isDone, SHORT_LEASE.multipliedBy(3));
    trial.letGo(a, b);
    return "";
  }

  private static String freeze(Trial trial) throws InterruptedException {
    Order a = reading(trial);
    trial.first().freeze(true);
    try {
      trial.mustEnd(trial.order("B", trial.last(), ""));
    } finally {
      trial.first().freeze(false);
    }
    trial.letGo(a);
    return "";
  }

  private static String deadlock(Trial trial) throws InterruptedException {
    Order a = trial.order("A", trial.first(), Points.FIRST);
    trial.mustBeAt(a, Points.FIRST);
    Order b = trial.order("B", trial.last(), Points.FIRST, Points.REVERSED);
    trial.mayOnlyIfBroken(() -> b.isAt(Points.FIRST));
    trial.letGo(a, b);
    return victim(a) + victim(b);
  }

  private static String victim(Order order) {
    String said = String.valueOf(order.said());
    return said.contains("deadlock") ? order.id() + " was chosen as the victim: " + said : "";
  }

  private static String breakDown(Trial trial) throws InterruptedException {
    Order a = reading(trial);
    List<Order> others = eightMore(trial, Turns.ASKS, WAITING + 1);
    trial.mayOnlyIfBroken(() -> trial.count(Points.READ) == WAITING + 1);
    trial.letGo(a);
    trial.letGo(others.toArray(Order[]::new));
    return loads(trial);
  }

  private static String loads(Trial trial) {
    long loads = trial.count(Points.ENTERED);
    return loads == 1 ? "" : loads + " loads at the database where one would do";
  }

  private static String loadMany(Trial trial) throws InterruptedException {
    trial.mustEnd(trial.order("A", trial.first(), "", Points.MANY));
    return crowd(trial.timesLeft());
  }

  private static String penetrate(Trial trial) throws InterruptedException {
    for (int i = 0; i <= WAITING; i++) {
      Instance instance = i % 2 == 0 ? trial.first() : trial.last();
      trial.mustEnd(trial.order("A" + i, instance, ""));
    }
    return loads(trial);
  }

  private static String wantOtherRow(Trial trial) throws InterruptedException {
    Order a = reading(trial);
    Order b = trial.order("B", trial.last(), "", Points.OTHER);
    boolean waits = trial.hangs(b, HANG);
    trial.letGo(a, b);
    return waits ? "B waits for a row that it does not want" : "";
  }

  private static String wakeUp(Trial trial) throws InterruptedException {
    Order a = reading(trial);
    List<Order> waiting = eightMore(trial, Points.WAITS, WAITING);
    a.go();
    trial.must("the next is in", () -> trial.count(Points.READ) == 2);
    trial.mayOnlyIfBroken(() -> trial.count(Points.WOKEN) == WAITING);
    long woken = trial.count(Points.WOKEN);
    trial.letGo(waiting.toArray(Order[]::new));
    return woken > 1 ? woken + " woke up for one to get in" : "";
  }

  /** Whether more than half of the keys expire in one window, so that all load them at once. */
  private static String crowd(List<Duration> timesLeft) {
    if (timesLeft.size() != CachedStock.MANY_KEYS) {
      return timesLeft.size() + " of " + CachedStock.MANY_KEYS + " keys are in the cache";
    }
    long most =
        timesLeft.stream()
            .mapToLong(
                first ->
                    timesLeft.stream()
                        .filter(it -> it.compareTo(first) >= 0)
                        .filter(it -> it.compareTo(first.plus(WINDOW)) < 0)
                        .count())
            .max()
            .orElse(0);
    return most > CachedStock.MANY_KEYS / 2
        ? most + " of " + CachedStock.MANY_KEYS + " keys expire within one second"
        : "";
  }

  private static String overlap(Trial trial, String... pauses) throws InterruptedException {
    Order a = trial.order("A", trial.first(), String.join(",", pauses));
    trial.must("A waits", () -> a.isDone() || Stream.of(pauses).anyMatch(a::isAt));
    Order b = trial.order("B", trial.last(), Points.READ);
    trial.mustBeAt(b, Turns.ASKS);
    trial.mayOnlyIfBroken(() -> b.isAt(Points.READ) || b.isDone());
    trial.letGo(a);
    trial.mustBeAt(b, Points.READ);
    trial.letGo(b);
    return "";
  }

  private static String lateRelease(Trial trial, String pause) throws InterruptedException {
    Order a = trial.order("A", trial.first(), pause);
    trial.mustBeAt(a, pause);
    trial.endTheLease();
    Order b = trial.order("B", trial.last(), Points.READ);
    trial.mustBeAt(b, Points.READ);
    trial.letGo(a);
    Order c = trial.order("C", trial.first(), "");
    trial.mustBeAt(c, Turns.ASKS);
    trial.mayOnlyIfBroken(c::isDone);
    trial.letGo(b, c);
    return "";
  }
}
