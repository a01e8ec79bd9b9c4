package io.lockkeeper.spring;

import io.lockkeeper.LeaseLost;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.springframework.context.ApplicationEvent;

/** Watches over the leases of one call while its method runs. */
final class LossWatch {

  private final Consumer<? super ApplicationEvent> publisher;
  private final LockedMethod locked;
  private final Object target;
  private final Thread thread = Thread.currentThread();
  private final Lock mutex = new ReentrantLock();
  private boolean running = true;
  private boolean interrupted;

  LossWatch(Consumer<? super ApplicationEvent> publisher, LockedMethod locked, Object target) {
    this.publisher = publisher;
    this.locked = locked;
    this.target = target;
  }

  void add(Hold hold, OnLoss onLoss) {
    if (onLoss == OnLoss.NONE || !hold.isOutermost()) {
      return;
    }
    hold.lease().onLost(loss -> lost(loss, onLoss));
  }

  private void lost(LeaseLost loss, OnLoss onLoss) {
    mutex.lock();
    try {
      if (!running) {
        return;
      }
      if (onLoss == OnLoss.INTERRUPT) {
        interrupted = true;
        thread.interrupt();
      }
    } finally {
      mutex.unlock();
    }
    publisher.accept(new LeaseLostEvent(target, locked.method(), loss));
  }

  /** The method is over: from now on its thread is not interrupted, nor has it been. */
  @SuppressWarnings("ResultOfMethodCallIgnored")
  void end() {
    mutex.lock();
    try {
      running = false;
      if (interrupted) {
        interrupted = false;
        Thread.interrupted();
      }
    } finally {
      mutex.unlock();
    }
  }
}
