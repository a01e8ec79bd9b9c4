package io.lockkeeper.testkit.tck;

import org.junit.jupiter.api.Nested;

/**
 * The chapters about cells, and those about what goes wrong elsewhere, as one class of tests of a
 * store.
 */
public abstract class CellChapters {

  /** Opens the store for one test. */
  protected abstract TckStore openStore();

  /** See {@link CounterTck}. */
  @Nested
  public final class Counters extends CounterTck {
    @Override
    protected TckStore openStore() {
      return CellChapters.this.openStore();
    }
  }

  /** See {@link SharedValueTck}. */
  @Nested
  public final class SharedValues extends SharedValueTck {
    @Override
    protected TckStore openStore() {
      return CellChapters.this.openStore();
    }
  }

  /** See {@link LatchTck}. */
  @Nested
  public final class Latches extends LatchTck {
    @Override
    protected TckStore openStore() {
      return CellChapters.this.openStore();
    }
  }

  /** See {@link PeerRegressions}. */
  @Nested
  public final class RegressionsOfPeers extends PeerRegressions {
    @Override
    protected TckStore openStore() {
      return CellChapters.this.openStore();
    }
  }

  /** See {@link PeerScenarios}. */
  @Nested
  public final class ScenariosOfPeers extends PeerScenarios {
    @Override
    protected TckStore openStore() {
      return CellChapters.this.openStore();
    }
  }
}
