package io.lockkeeper.cli.exec;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where signals go. While it connects the process just ends: it has nothing yet. While it waits for
 * the lock they end the wait. Once the command runs they are the command's, and whether it ends is
 * its own choice: the lock is held for as long as it runs.
 */
final class SignalRouter {

  private enum Phase {
    CONNECTING,
    WAITING,
    RUNNING
  }

  private final Object mutex = new Object();
  private final Thread waiter = Thread.currentThread();
  private Phase phase = Phase.CONNECTING; // guarded by mutex
  private @Nullable Child child; // guarded by mutex
  private @Nullable PosixSignal received; // guarded by mutex

  private SignalRouter() {}

  /** Opens one; the calling thread is the one that waits. */
  static SignalRouter open() {
    SignalRouter desk = new SignalRouter();
    for (PosixSignal signal : PosixSignal.values()) {
      signal.handle(desk::take);
    }
    return desk;
  }

  private void take(PosixSignal signal) {
    Child running;
    synchronized (mutex) {
      received = signal;
      running = child;
      if (phase == Phase.CONNECTING) {
        Runtime.getRuntime().halt(signal.status());
      } else if (phase == Phase.WAITING) {
        waiter.interrupt();
      }
    }
    if (running != null) {
      running.pass(signal);
    }
  }

  /** From now on there may be something at the store that has to be given back. */
  void beginWait() {
    synchronized (mutex) {
      phase = Phase.WAITING;
    }
  }

  /** Ends the wait, and says whether a signal came meanwhile. */
  Optional<PosixSignal> endWait() {
    synchronized (mutex) {
      phase = Phase.RUNNING;
      Thread.interrupted();
      return Optional.ofNullable(received);
    }
  }

  /** Hands signals to the command; one that came while it was being started, too. */
  void attach(Child started) {
    PosixSignal early;
    synchronized (mutex) {
      child = started;
      early = received;
    }
    if (early != null) {
      started.pass(early);
    }
  }

  /** Returns whether this signal was the last one. */
  boolean hasReceived(PosixSignal signal) {
    synchronized (mutex) {
      return received == signal;
    }
  }
}
