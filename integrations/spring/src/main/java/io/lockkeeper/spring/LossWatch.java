package io.lockkeeper.spring;

import io.lockkeeper.LeaseLost;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;

/** Watches over one lease of a call while its method runs. */
final class LossWatch implements Consumer<LeaseLost> {

  private final Consumer<? super ApplicationEvent> events;
  private final LockedCall call;
  private final @Nullable Interrupter interrupter;
  private volatile boolean running = true;

  private LossWatch(
      Consumer<? super ApplicationEvent> events,
      LockedCall call,
      @Nullable Interrupter interrupter) {
    this.events = events;
    this.call = call;
    this.interrupter = interrupter;
  }

  /**
   * Begins to watch, unless nothing is to happen on a loss; on re-entry the outermost call does.
   */
  static @Nullable LossWatch over(
      Hold hold, OnLoss onLoss, Consumer<? super ApplicationEvent> events, LockedCall call) {
    if (onLoss == OnLoss.NONE || !hold.isOutermost()) {
      return null;
    }
    LossWatch watch =
        new LossWatch(events, call, onLoss == OnLoss.INTERRUPT ? new Interrupter() : null);
    hold.lease().onLost(watch);
    return watch;
  }

  @Override
  public void accept(LeaseLost loss) {
    if (interrupter != null ? interrupter.interrupt() : running) {
      events.accept(new LeaseLostEvent(call.target(), call.locked().method(), loss));
    }
  }

  /** The method is over: from now on its thread is not interrupted, nor has it been. */
  void end() {
    running = false;
    if (interrupter != null) {
      interrupter.end();
    }
  }

  /** Interrupts the thread that made it, until it ends. */
  private static final class Interrupter {

    private final Thread thread = Thread.currentThread();
    private final Lock mutex = new ReentrantLock();
    private boolean ended;
    private boolean interrupted;

    /** Returns whether it has not ended. */
    boolean interrupt() {
      mutex.lock();
      try {
        if (!ended) {
          interrupted = true;
          thread.interrupt();
        }
        return !ended;
      } finally {
        mutex.unlock();
      }
    }

    @SuppressWarnings("ResultOfMethodCallIgnored")
    void end() {
      mutex.lock();
      try {
        ended = true;
        if (interrupted) {
          interrupted = false;
          Thread.interrupted();
        }
      } finally {
        mutex.unlock();
      }
    }
  }
}
