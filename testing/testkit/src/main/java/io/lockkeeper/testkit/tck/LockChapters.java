package io.lockkeeper.testkit.tck;

import io.lockkeeper.testkit.juc.LockConformance;
import org.junit.jupiter.api.Nested;

/** The chapters about locks, as one class of tests of a store. */
public abstract class LockChapters {

  /** Opens the store for one test. */
  protected abstract TckStore openStore();

  /** See {@link ExclusionTck}. */
  @Nested
  public final class Exclusion extends ExclusionTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link TokensTck}. */
  @Nested
  public final class Tokens extends TokensTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link LeaseTck}. */
  @Nested
  public final class LeaseAndLoss extends LeaseTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link ReleaseTck}. */
  @Nested
  public final class Release extends ReleaseTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link RestTck}. */
  @Nested
  public final class Rest extends RestTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link WorkTck}. */
  @Nested
  public final class WorkUnderALock extends WorkTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link WaitingTck}. */
  @Nested
  public final class Waiting extends WaitingTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link OrderTck}. */
  @Nested
  public final class Order extends OrderTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link IdleTck}. */
  @Nested
  public final class IdleLeases extends IdleTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link ReentrancyTck}. */
  @Nested
  public final class Reentrancy extends ReentrancyTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link TimeLimitsTck}. */
  @Nested
  public final class TimeLimits extends TimeLimitsTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link RenewalTck}. */
  @Nested
  public final class Renewal extends RenewalTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link ClosingTck}. */
  @Nested
  public final class Closing extends ClosingTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link NamesTck}. */
  @Nested
  public final class NamesAndInput extends NamesTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link EventsTck}. */
  @Nested
  public final class Events extends EventsTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link ObserverTck}. */
  @Nested
  public final class Observers extends ObserverTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link ConnectLaterTck}. */
  @Nested
  public final class StartingWithoutTheStore extends ConnectLaterTck {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }

  /** See {@link LockConformance}. */
  @Nested
  public final class Conformance extends LockConformance {
    @Override
    protected TckStore openStore() {
      return LockChapters.this.openStore();
    }
  }
}
