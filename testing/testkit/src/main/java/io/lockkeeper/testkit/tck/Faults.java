package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The faults between one client and its store, at the test's wish. It sits between the engine and
 * any store, so every store can be tested with it.
 */
public final class Faults {

  /** The states of the way to the store. */
  enum Way {
    /** Lets everything through. */
    OPEN,
    /** Carries nothing out and says so at once, like a refused connection. */
    REFUSED,
    /** Carries nothing out and says nothing until a time limit, like a lost network. */
    SILENT,
    /** As refused, for good; and what the client gives up is taken as given up. */
    DEAD
  }

  private final AtomicInteger repliesToLose = new AtomicInteger();
  private final AtomicInteger changesToLose = new AtomicInteger();
  private final AtomicLong requests = new AtomicLong();

  /** How many requests may be on an open way and are not answered yet. */
  private final AtomicInteger underWay = new AtomicInteger();

  private volatile Way way = Way.OPEN;
  private volatile Runnable death = () -> {};
  private volatile boolean hintsLost;
  private volatile boolean changesRefused;
  private volatile @Nullable NotificationListener listener;

  private static final long LOOK_NANOS = 100_000;

  Faults() {}

  /**
   * Cuts the client off: each request fails at once and is not carried out. Returns when those that
   * are under way have been answered.
   */
  public void refuse() {
    cut(Way.REFUSED);
  }

  /**
   * Cuts the client off: requests are not carried out and not answered before a time limit. Returns
   * when those that are under way have been answered.
   */
  public void silence() {
    cut(Way.SILENT);
  }

  private void cut(Way how) {
    way = how;
    awaitAnswered();
  }

  /**
   * Waits until everything that the client has requested so far is answered, with a limit in case
   * the store does not answer.
   */
  public void awaitAnswered() {
    long end = System.nanoTime() + Delays.patience().toNanos();
    while (underWay.get() > 0 && System.nanoTime() < end) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /** Lets everything through again and says that the connection is back. */
  public void heal() {
    way = Way.OPEN;
    changesRefused = false;
    NotificationListener hears = listener;
    if (hears != null) {
      hears.reconnected();
    }
  }

  void healUnlessDead() {
    if (way != Way.OPEN && way != Way.DEAD) {
      heal();
    }
  }

  /** Cuts the client off for good, as if its process had been killed. */
  public void kill() {
    hintsLost = true;
    way = Way.DEAD;
    death.run();
  }

  /** Loses all notifications from now on. */
  public void loseNotifications() {
    hintsLost = true;
  }

  /** Lets the next requests be carried out, and loses their answers. */
  public void loseReplies(int count) {
    repliesToLose.set(count);
  }

  /**
   * Lets the next releases, forced releases and changes of limits be carried out, and loses their
   * answers.
   */
  public void loseRepliesToChanges(int count) {
    changesToLose.set(count);
  }

  /**
   * Makes releases, forced releases and changes of limits fail at once, without being carried out,
   * until {@link #heal}; everything else gets through.
   */
  public void refuseChanges() {
    changesRefused = true;
  }

  /** Returns how many requests the client has made. */
  public long requests() {
    return requests.get();
  }

  StoreFactory around(StoreFactory factory, Consumer<Store> vanishing) {
    return context -> {
      Store store = factory.open(context);
      death = () -> vanishing.accept(store);
      return new FaultyStore(store, this);
    };
  }

  Way way() {
    return way;
  }

  boolean areNotificationsLost() {
    return hintsLost || way != Way.OPEN;
  }

  boolean areChangesRefused() {
    return changesRefused;
  }

  void counted() {
    requests.incrementAndGet();
  }

  /** Begins a request, before it looks which way it goes. */
  void begun() {
    underWay.incrementAndGet();
  }

  void ended() {
    underWay.decrementAndGet();
  }

  boolean takeLostReply() {
    return repliesToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  boolean takeLostReplyToChange() {
    return changesToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void listener(NotificationListener hears) {
    listener = hears;
  }
}
