package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every sentence of {@link Store} as a test. A store's module extends it and says how to open a
 * store and how to let time pass.
 *
 * <p>Each test has a namespace of its own, so nothing has to be cleaned up between them.
 */
@Timeout(600)
public abstract class StoreContract
    implements ClaimRules,
        QueueRules,
        BatchRules,
        TokenRules,
        ReleaseRules,
        WithdrawRules,
        RenewRules,
        PollRules,
        NotificationRules,
        OperatorRules,
        RepeatRules,
        InspectRules,
        PoolRules,
        PoolGrantRules,
        LimitRules,
        BarrierRules,
        CellRules,
        CellNumberRules {

  private final List<Store> opened = new ArrayList<>();
  private String namespace = "";

  /** Returns the way to the store under test. */
  protected abstract StoreFactory factory();

  /**
   * Returns another way to the same store, as another process has it: what clients of {@link
   * #factory} have seen is not known there. Where a store has a clock there is no difference.
   */
  protected StoreFactory elsewhere() {
    return factory();
  }

  /** Lets time pass for the store: a real one really waits, one with its own clock moves it. */
  protected abstract void advance(Duration time);

  /**
   * Makes a client die. A store that counts by what it is asked need not do anything; one that
   * knows its clients by sessions ends this one's.
   */
  protected void die(Store client) {}

  @Override
  public boolean countsHeartbeats() {
    return true;
  }

  /** Returns the environment that stores are opened with. */
  protected Environment environment() {
    return new Environment(System::nanoTime, StoreContract::scheduler, new Random(1));
  }

  @BeforeEach
  final void chooseNamespace() {
    namespace = "contract-" + newId();
  }

  @AfterEach
  final void closeStores() {
    opened.forEach(Store::close);
  }

  @Test
  final void aStoreGivesGlancesIfItsContractHasRulesForThem() {
    assertThat(client().glances(Listing.all("")).isPresent())
        .isEqualTo(this instanceof GlanceRules);
  }

  @Override
  public final StoreClient client(Timings timings) {
    return client(factory(), timings);
  }

  @Override
  public final StoreClient stranger() {
    return client(elsewhere(), LONG_LIMITS);
  }

  private StoreClient client(StoreFactory way, Timings timings) {
    String id = newId();
    Store store =
        way.open(
            new StoreContext(
                new ClientInfo(id, "contract", "a host", 7L), namespace, timings, environment()));
    opened.add(store);
    return new StoreClient(store, id, ResourceId.lock("r"));
  }

  @Override
  public final void dies(StoreClient client) {
    die(client.store());
  }

  @Override
  public final void pass(Duration time) {
    advance(time);
  }

  private static String newId() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  private static Scheduler scheduler() {
    return Threads.scheduler();
  }
}
