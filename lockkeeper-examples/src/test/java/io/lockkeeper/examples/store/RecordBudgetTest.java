package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operations cost in requests of the port. */
class RecordBudgetTest {

  private static final Set<String> REQUESTS = Set.of("read", "commit", "list");

  private static final ResourceId STOCK = ResourceId.lock("stock");

  private final MapsServer server = new MapsServer("budget", System::nanoTime);
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<StoreProbe> clients = new ArrayList<>();

  /** Opens a client; its requests are written down if it is counted. */
  private StoreProbe client(boolean isCounted) {
    StoreFactory factory =
        context -> {
          RecordStore port = server.open(context.clientId());
          return new RecordBasedStore(
              isCounted ? counted(port) : port, context, Duration.ofSeconds(3));
        };
    StoreProbe client = new StoreProbe(factory, "budget", Timings.DEFAULT);
    clients.add(client);
    requests.clear();
    return client;
  }

  private RecordStore counted(RecordStore port) {
    return (RecordStore)
        Proxy.newProxyInstance(
            RecordStore.class.getClassLoader(),
            new Class<?>[] {RecordStore.class},
            (proxy, method, given) -> {
              if (REQUESTS.contains(method.getName())) {
                requests.add(method.getName());
              }
              try {
                return method.invoke(port, given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @AfterEach
  void close() {
    clients.forEach(StoreProbe::close);
  }

  @Test
  void aLockThatNobodyElseWantsIsReadOnce() {
    StoreProbe client = client(true);

    client.release(STOCK, client.claimed(STOCK, 1));

    assertThat(requests).containsExactly("read", "commit", "commit");
  }

  @Test
  void aLockThatIsKnownCostsOneRequestToTakeAndOneToGiveBack() {
    StoreProbe client = client(true);
    client.release(STOCK, client.claimed(STOCK, 1));
    requests.clear();

    for (int claim = 2; claim < 12; claim++) {
      client.release(STOCK, client.claimed(STOCK, claim));
    }

    assertThat(requests).hasSize(20).containsOnly("commit");
  }

  @Test
  void aHundredLeasesAreRenewedWithOneRequest() {
    StoreProbe client = client(true);
    List<RenewRequest> renewals = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Grant grant = client.claimed(ResourceId.lock("stock" + i), i);
      renewals.add(
          new RenewRequest(
              ResourceId.lock("stock" + i), grant.grant(), 2 * StoreProbe.LEASE_MILLIS));
    }
    requests.clear();

    assertThat(StoreProbe.get(client.store.renew(renewals)))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Answered.class));

    assertThat(requests).containsExactly("commit");
  }

  /** One commit finds that others have come, and shows what is there; one lets the next in. */
  @ParameterizedTest
  @ValueSource(ints = {10, 1_000})
  void aHandOffCostsTheSameHoweverManyWait(int waiters) {
    StoreProbe holder = client(true);
    StoreProbe others = client(false);
    Grant grant = holder.claimed(STOCK, 1);
    for (int claim = 1; claim <= waiters; claim++) {
      others.queued(STOCK, claim);
    }
    requests.clear();

    holder.release(STOCK, grant);

    assertThat(others.notification()).startsWith("granted");
    assertThat(requests).containsExactly("commit", "commit");
  }
}
