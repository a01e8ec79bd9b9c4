package io.lockkeeper.redis;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A timer whose thread sleeps until something is due. That of Netty wakes up at every tick, and an
 * idle client would do so 50 times a second.
 */
final class SleepingTimer implements Timer {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

  private final Set<Timeout> pending = ConcurrentHashMap.newKeySet();
  private final ScheduledThreadPoolExecutor thread;

  SleepingTimer(String name) {
    thread = new ScheduledThreadPoolExecutor(1, new DefaultThreadFactory(name, true));
    thread.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
    Planned planned = new Planned(task);
    pending.add(planned);
    try {
      planned.plan(delay, unit);
    } catch (RejectedExecutionException e) {
      pending.remove(planned);
      throw new IllegalStateException("the timer was stopped", e);
    }
    return planned;
  }

  @Override
  public Set<Timeout> stop() {
    thread.shutdownNow();
    return Set.copyOf(pending);
  }

  private enum State {
    PENDING,
    CANCELLED,
    EXPIRED
  }

  private final class Planned implements Timeout {

    private final TimerTask task;
    private final AtomicReference<State> state = new AtomicReference<>(State.PENDING);

    /** Null only while it is being planned, when nobody can cancel it yet. */
    private volatile @Nullable Future<?> future;

    Planned(TimerTask task) {
      this.task = task;
    }

    void plan(long delay, TimeUnit unit) {
      future = thread.schedule(this::expire, delay, unit);
    }

    private void expire() {
      if (!end(State.EXPIRED)) {
        return;
      }
      try {
        task.run(this);
      } catch (Throwable failure) {
        LOG.log(Level.WARNING, "a task of the timer failed", failure);
      }
    }

    private boolean end(State with) {
      boolean isFirst = state.compareAndSet(State.PENDING, with);
      if (isFirst) {
        pending.remove(this);
      }
      return isFirst;
    }

    @Override
    public boolean cancel() {
      boolean isFirst = end(State.CANCELLED);
      Future<?> waiting = future;
      if (isFirst && waiting != null) {
        waiting.cancel(false);
      }
      return isFirst;
    }

    @Override
    public Timer timer() {
      return SleepingTimer.this;
    }

    @Override
    public TimerTask task() {
      return task;
    }

    @Override
    public boolean isExpired() {
      return state.get() == State.EXPIRED;
    }

    @Override
    public boolean isCancelled() {
      return state.get() == State.CANCELLED;
    }
  }
}
