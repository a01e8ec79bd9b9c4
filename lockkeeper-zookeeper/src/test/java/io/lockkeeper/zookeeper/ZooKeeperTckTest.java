package io.lockkeeper.zookeeper;

import io.lockkeeper.testkit.juc.LockConformance;
import io.lockkeeper.testkit.tck.BarrierTck;
import io.lockkeeper.testkit.tck.ClosingTck;
import io.lockkeeper.testkit.tck.CounterTck;
import io.lockkeeper.testkit.tck.DeadlockTck;
import io.lockkeeper.testkit.tck.EventsTck;
import io.lockkeeper.testkit.tck.ExclusionTck;
import io.lockkeeper.testkit.tck.IdleTck;
import io.lockkeeper.testkit.tck.InspectTck;
import io.lockkeeper.testkit.tck.LatchTck;
import io.lockkeeper.testkit.tck.LeaderTck;
import io.lockkeeper.testkit.tck.LeaseTck;
import io.lockkeeper.testkit.tck.MultiLockTck;
import io.lockkeeper.testkit.tck.NamesTck;
import io.lockkeeper.testkit.tck.OrderTck;
import io.lockkeeper.testkit.tck.PeerRegressions;
import io.lockkeeper.testkit.tck.PeerScenarios;
import io.lockkeeper.testkit.tck.ReadWriteTck;
import io.lockkeeper.testkit.tck.ReentrancyTck;
import io.lockkeeper.testkit.tck.ReleaseTck;
import io.lockkeeper.testkit.tck.RenewalTck;
import io.lockkeeper.testkit.tck.SemaphoreTck;
import io.lockkeeper.testkit.tck.SharedValueTck;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.TimeLimitsTck;
import io.lockkeeper.testkit.tck.TokensTck;
import io.lockkeeper.testkit.tck.WaitingTck;
import org.junit.jupiter.api.Nested;

/** Every promise, kept on a ZooKeeper server. */
class ZooKeeperTckTest {

  private TckStore open() {
    return new ZooKeeperTckStore(SharedServer.running());
  }

  @Nested
  class Conformance extends LockConformance {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Exclusion extends ExclusionTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Tokens extends TokensTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class LeaseAndLoss extends LeaseTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Release extends ReleaseTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Waiting extends WaitingTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Order extends OrderTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class IdleLeases extends IdleTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Deadlocks extends DeadlockTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class TimeLimits extends TimeLimitsTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Reentrancy extends ReentrancyTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Renewal extends RenewalTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Closing extends ClosingTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class NamesAndInput extends NamesTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Leaders extends LeaderTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class MultiLocks extends MultiLockTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Events extends EventsTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class PeersRegressions extends PeerRegressions {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class PeersScenarios extends PeerScenarios {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class ReadWriteLocks extends ReadWriteTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Semaphores extends SemaphoreTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Barriers extends BarrierTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Counters extends CounterTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class SharedValues extends SharedValueTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Latches extends LatchTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }

  @Nested
  class Inspection extends InspectTck {
    @Override
    protected TckStore openStore() {
      return open();
    }
  }
}
