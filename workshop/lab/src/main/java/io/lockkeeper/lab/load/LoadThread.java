package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.Subject.CellRefusedException;
import io.lockkeeper.lab.load.Subject.Holding;
import io.lockkeeper.lab.load.Subject.Stranger;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** One thread of a load: uses one thing after the other, drawn from its own seed. */
final class LoadThread implements Runnable {

  private static final int MOST_LOOKS = 3;
  private static final long LOOK_NANOS = 50_000_000;
  private static final int MOST_OPERATIONS = 4;
  private static final int MOST_TRIES = 50;

  /** One use of a semaphore in how many changes its permits before. */
  private static final int RESIZE_RARELY = 16;

  /** By how many permits a changed semaphore has more than the plan says, at the most. */
  private static final int MOST_MORE = 2;

  /** What another client asks for: less than there is left, or more than there was. */
  private static final Duration SHORT_LEASE = Duration.ofMillis(50);

  private static final Duration LONG_LEASE = Duration.ofSeconds(1);

  /** For how long it is held after it was renewed for less. */
  private static final Duration WELL_OVER_SHORT = SHORT_LEASE.multipliedBy(4);

  private static final int LATCH_COUNT = 12;
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 50;

  private final String actor;
  private final LoadPlan plan;
  private final Subject subject;
  private final Register register;
  private final Recorder recorder;
  private final CountDownLatch stop;
  private final AtomicLong acquisitions;
  private final Random random;
  private final Pace pace;
  private long call;
  private int latch;

  LoadThread(
      String actor,
      int number,
      LoadPlan plan,
      Subject subject,
      Register register,
      Recorder recorder,
      CountDownLatch stop,
      AtomicLong acquisitions) {
    this.actor = actor;
    this.plan = plan;
    this.subject = subject;
    this.register = register;
    this.recorder = recorder;
    this.stop = stop;
    this.acquisitions = acquisitions;
    this.random = new Random(plan.seed() * 1_000 + number);
    this.pace = new Pace(plan.perSecond(), System.nanoTime());
  }

  @Override
  public void run() {
    try {
      do {
        ResourceType type = plan.types().get(random.nextInt(plan.types().size()));
        String resource = type.id("r" + random.nextInt(plan.names()));
        switch (type) {
          case COUNTER -> count(resource);
          case LATCH -> useLatch();
          default -> hold(type, resource);
        }
      } while (!pause(plan.longestPause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hold(ResourceType type, String resource) throws InterruptedException {
    if (!awaitTurn()) {
      return;
    }
    if (type == ResourceType.SEMAPHORE && plan.resizes() && random.nextInt(RESIZE_RARELY) == 0) {
      resize(resource);
    }
    String mode = type == ResourceType.RW && random.nextBoolean() ? "read" : "write";
    int permits = type == ResourceType.SEMAPHORE ? 1 + random.nextInt(plan.permits()) : 1;
    boolean isTry = random.nextDouble() < plan.tries();
    boolean goesOn = true;
    for (int left = isTry ? MOST_TRIES : 1; goesOn && left > 0; left--) {
      goesOn = !hold(type, resource, mode, permits, isTry) && stop.getCount() > 0;
    }
  }

  /** Asks once, and uses what it gets; false if that is nothing. */
  private boolean hold(ResourceType type, String resource, String mode, int permits, boolean isTry)
      throws InterruptedException {
    call++;
    Event ask = event(EventKind.ASK, resource).with(permits, mode);
    if (!isTry) {
      recorder.record(ask);
    }
    Optional<Holding> holding;
    try {
      Duration wait = isTry ? Duration.ZERO : plan.patience();
      holding = subject.acquire(resource, mode, permits, plan.permits(), wait);
    } catch (RuntimeException e) {
      if (isTry) {
        recorder.record(ask);
      }
      recorder.record(event(EventKind.FAILED, resource).with(0, text(e)));
      pauseAfterFailure();
      return true;
    }
    if (holding.isEmpty()) {
      if (!isTry) { // what a try did not get is no news, and there are many of them
        recorder.record(event(EventKind.FAILED, resource).with(0, "not in time"));
      }
      return false;
    }
    if (isTry) {
      recorder.record(ask);
    }
    acquisitions.incrementAndGet();
    use(resource, mode, type, isTry && random.nextBoolean(), holding.get());
    return true;
  }

  private void resize(String resource) {
    call++;
    int permits = plan.permits() + random.nextInt(MOST_MORE + 1);
    recorder.record(event(EventKind.RESIZE, resource).with(permits, ""));
    try {
      subject.resize(resource, permits);
      recorder.record(event(EventKind.RESIZED, resource));
    } catch (RuntimeException e) {
      // it may be carried out later, and counts from now on
    }
  }

  private void use(
      String resource, String mode, ResourceType type, boolean isShort, Holding holding)
      throws InterruptedException {
    boolean writes = mode.equals("write") && type != ResourceType.SEMAPHORE;
    look(EventKind.GOT, resource, holding);
    if (isPassedOn(resource, holding)) {
      return;
    }
    try {
      if (random.nextInt(plan.rarely()) == 0) {
        holdFor(plan.rareHold(), resource, holding);
      }
      for (int looks = isShort ? 0 : random.nextInt(MOST_LOOKS); looks > 0; looks--) {
        pause(plan.longestHold());
        if (writes) {
          write(resource, holding.token());
        }
        look(EventKind.VALID, resource, holding);
      }
    } finally {
      look(EventKind.RELEASE, resource, holding);
      release(resource, holding);
    }
  }

  /** Has another client use what is held, if there is to be one; whether that has released it. */
  private boolean isPassedOn(String resource, Holding holding) throws InterruptedException {
    Optional<Stranger> found;
    try {
      found = holding.strangers().get();
    } catch (RuntimeException e) {
      return false; // it could not connect
    }
    if (found.isEmpty()) {
      return false;
    }
    try (Stranger stranger = found.get()) {
      long until = 0;
      if (stranger.isFixed()) {
        until = renew(LONG_LEASE, resource, holding, stranger);
        if (until == 0) {
          return false;
        }
        pause(LONG_LEASE);
      } else if (random.nextBoolean()) {
        renew(SHORT_LEASE, resource, holding, stranger);
        holdFor(WELL_OVER_SHORT, resource, holding);
        return false;
      }
      release(resource, holding, stranger, until);
      return true;
    }
  }

  /** Returns until when it is held then at the least; 0 if that is not known. */
  private long renew(Duration lease, String resource, Holding holding, Stranger stranger) {
    Event begin = event(EventKind.RENEW, resource);
    // A store's clock may be one percent faster, and shows milliseconds.
    long until = begin.nanos() + lease.toNanos() * 99 / 100 - TimeUnit.MILLISECONDS.toNanos(2);
    recorder.record(begin.withLease(holding.token(), until));
    try {
      if (stranger.renew(lease)) {
        recorder.record(event(EventKind.RENEWED, resource).withLease(holding.token(), until));
        return until;
      }
    } catch (RuntimeException e) {
      // it may be carried out later
    }
    return 0;
  }

  /**
   * Has another client release it, again and again until there is an answer. Then the holder waits
   * until it has heard of that: what it gave back before, another thread of it could take over. One
   * that never learns of it keeps its worker from ending, which is reported.
   */
  private void release(String resource, Holding holding, Stranger stranger, long renewedUntil)
      throws InterruptedException {
    Event begin = event(EventKind.RELEASE, resource);
    long until = Math.max(renewedUntil, begin.nanos() + holding.remainingNanos());
    recorder.record(begin.withLease(holding.token(), until > begin.nanos() ? until : 0));
    boolean isAnswered = false;
    do {
      try {
        EventKind end = stranger.release() ? EventKind.RELEASED : EventKind.LOST;
        recorder.record(event(end, resource));
        isAnswered = true;
      } catch (RuntimeException e) {
        pauseAfterFailure();
      }
    } while (!isAnswered && stop.getCount() > 0);
    while (isAnswered && holding.remainingNanos() > 0) {
      TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    }
    if (isAnswered) {
      holding.release();
    } else {
      release(resource, holding);
    }
  }

  /** Looks again and again, so that it is known until when the lease was valid. */
  private void holdFor(Duration time, String resource, Holding holding)
      throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    long left = time.toNanos();
    while (left > 0 && !stop.await(Math.min(left, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
      look(EventKind.VALID, resource, holding);
      left = end - System.nanoTime();
    }
  }

  private void write(String resource, long token) {
    try {
      register.write(resource, actor, call, token);
    } catch (RuntimeException e) {
      // out of reach: then there was no write
    }
  }

  /** The time is taken first: at that moment it was valid if it is now. */
  private void look(EventKind kind, String resource, Holding holding) {
    Event before = event(kind, resource);
    long left = holding.remainingNanos();
    boolean gone = left <= 0 && kind == EventKind.VALID;
    Event seen = gone ? Event.of(before.nanos(), actor, EventKind.INVALID, resource, call) : before;
    recorder.record(seen.withLease(holding.token(), left <= 0 ? 0 : before.nanos() + left));
  }

  private void release(String resource, Holding holding) {
    try {
      boolean released = holding.release();
      recorder.record(event(released ? EventKind.RELEASED : EventKind.LOST, resource));
    } catch (RuntimeException e) {
      recorder.record(event(EventKind.LOST, resource).with(0, text(e)));
    }
  }

  private void count(String resource) throws InterruptedException {
    String operation =
        switch (random.nextInt(MOST_OPERATIONS)) {
          case 0 -> "get";
          case 1 -> "raise";
          default -> "add";
        };
    operate(resource, operation, operation.equals("raise") ? random.nextInt(100) : 1);
  }

  /** Goes through the latches one after the other; the next one when this one is open. */
  private void useLatch() throws InterruptedException {
    String resource = ResourceType.LATCH.id("r" + latch);
    long answer =
        switch (random.nextInt(MOST_OPERATIONS)) {
          case 0 -> operate(resource, "set", LATCH_COUNT);
          case 1 -> operate(resource, "get", 0);
          default -> operate(resource, "down", 1);
        };
    if (answer == 0 && operate(resource, "get", 0) == 0) {
      operate(resource, "await", 0);
      operate(resource, "get", 0);
      latch++;
    }
  }

  /** Returns what it returned; -2 if that is not known. */
  private long operate(String resource, String operation, long argument)
      throws InterruptedException {
    call++;
    recorder.record(event(EventKind.CALL, resource).with(argument, operation));
    try {
      long result = subject.operate(resource, operation, argument);
      recorder.record(event(EventKind.RETURN, resource).with(result, ""));
      return result;
    } catch (CellRefusedException e) {
      recorder.record(event(EventKind.REFUSED, resource).with(0, text(e)));
    } catch (RuntimeException e) {
      recorder.record(event(EventKind.UNKNOWN, resource).with(0, text(e)));
    }
    pauseAfterFailure();
    return -2;
  }

  private Event event(EventKind kind, String resource) {
    return Event.of(System.nanoTime(), actor, kind, resource, call);
  }

  /** Keeps to the rate, if there is one; false if the load has been told to stop. */
  private boolean awaitTurn() throws InterruptedException {
    if (plan.perSecond() == 0) {
      return true;
    }
    long nanos = pace.waitNanos(System.nanoTime());
    while (nanos > 0) {
      if (stop.await(nanos, TimeUnit.NANOSECONDS)) {
        return false;
      }
      nanos = pace.waitNanos(System.nanoTime());
    }
    return true;
  }

  /** Returns whether the load has been told to stop. */
  private boolean pause(Duration longest) throws InterruptedException {
    long nanos = (long) (random.nextDouble() * longest.toNanos());
    return nanos < 1_000 ? stop.getCount() == 0 : stop.await(nanos, TimeUnit.NANOSECONDS);
  }

  private void pauseAfterFailure() throws InterruptedException {
    stop.await(PAUSE_AFTER_FAILURE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static String text(Exception e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
