package io.lockkeeper.testkit.tck;

import io.lockkeeper.testkit.juc.SynchronizerConformance;
import org.junit.jupiter.api.Nested;

/**
 * The chapters about what several may hold, and what is made of locks, as one class of tests of a
 * store.
 */
public abstract class SharedChapters {

  /** Opens the store for one test. */
  protected abstract TckStore openStore();

  /** See {@link DeadlockTck}. */
  @Nested
  public final class Deadlocks extends DeadlockTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link InspectTck}. */
  @Nested
  public final class Inspections extends InspectTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link ReadWriteTck}. */
  @Nested
  public final class ReadWriteLocks extends ReadWriteTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link SemaphoreTck}. */
  @Nested
  public final class Semaphores extends SemaphoreTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link BarrierTck}. */
  @Nested
  public final class Barriers extends BarrierTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link MultiLockTck}. */
  @Nested
  public final class MultiLocks extends MultiLockTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link LeaderTck}. */
  @Nested
  public final class Leaders extends LeaderTck {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }

  /** See {@link SynchronizerConformance}. */
  @Nested
  public final class Synchronizers extends SynchronizerConformance {
    @Override
    protected TckStore openStore() {
      return SharedChapters.this.openStore();
    }
  }
}
