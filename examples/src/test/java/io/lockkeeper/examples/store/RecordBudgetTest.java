package io.lockkeeper.examples.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
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

  /** When the requests that are counted are answered. */
  private volatile CompletableFuture<Boolean> answers = CompletableFuture.completedFuture(true);

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
                Object answer = method.invoke(port, given);
                return answer instanceof CompletionStage<?> stage
                    ? answers.thenCompose(now -> stage)
                    : answer;
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

  @Test
  void whatIsAskedForWhileACommitIsUnderWayLeavesWithOneRequest() {
    StoreProbe client = client(true);
    Grant grant = client.claimed(STOCK, 1);
    requests.clear();
    CompletableFuture<Boolean> gate = new CompletableFuture<>();
    answers = gate;

    var renewed =
        client.store.renew(List.of(new RenewRequest(STOCK, 1, 2 * StoreProbe.LEASE_MILLIS)));
    var released = client.store.release(StoreProbe.releaseRequest(STOCK, grant));
    var tried = client.store.claim(StoreProbe.request(STOCK, 2));
    var renewedAgain =
        client.store.renew(List.of(new RenewRequest(STOCK, 2, 2 * StoreProbe.LEASE_MILLIS)));
    gate.complete(true);

    assertThat(StoreProbe.answer(StoreProbe.get(renewed).get(0)).renewed()).isTrue();
    assertThat(StoreProbe.answer(StoreProbe.get(released)).released()).isTrue();
    assertThat(StoreProbe.granted(StoreProbe.get(tried)).firstToken())
        .isGreaterThan(grant.firstToken());
    assertThat(StoreProbe.answer(StoreProbe.get(renewedAgain).get(0)).renewed()).isTrue();
    assertThat(requests).containsExactly("commit", "commit");
  }

  /** Entries that one commit puts may come in any order. */
  @Test
  void eachClaimThatWaitsLeavesWithARequestOfItsOwn() {
    StoreProbe holder = client(false);
    StoreProbe client = client(true);
    Grant grant = holder.claimed(STOCK, 1);
    client.queued(STOCK, 1);
    requests.clear();
    CompletableFuture<Boolean> gate = new CompletableFuture<>();
    answers = gate;

    var claims =
        LongStream.rangeClosed(2, 4)
            .mapToObj(claim -> client.store.claim(StoreProbe.request(STOCK, claim)))
            .toList();
    gate.complete(true);

    assertThat(claims)
        .extracting(claim -> ((Queued) StoreProbe.answer(StoreProbe.get(claim))).arrival())
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(requests).hasSize(3).containsOnly("commit");
    holder.release(STOCK, grant);
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
