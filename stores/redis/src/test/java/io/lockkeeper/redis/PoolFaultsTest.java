package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Shared resources on a server with faults, and what is left there. */
@ParameterizedClass
@MethodSource("binaries")
class PoolFaultsTest {

  private static final ResourceId SEMAPHORE = new ResourceId(ResourceKind.SEMAPHORE, "r");
  private static final ResourceId READ_WRITE = new ResourceId(ResourceKind.READ_WRITE_LOCK, "r");
  private static final ResourceId BARRIER = new ResourceId(ResourceKind.BARRIER, "r");
  private static final Share ONE = new Share(1, 3, false);
  private static final Share ALL_THREE = new Share(3, 3, false);
  private static final Share WRITER = new Share(Share.ALL, Share.ALL, false);
  private static final Share READER = new Share(1, Share.ALL, false);

  private final RedisServer server;
  private final List<StoreProbe> open = new ArrayList<>();

  PoolFaultsTest(RedisBinary binary) {
    server = RedisServer.builder().binary(binary).start();
  }

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @AfterEach
  void close() {
    open.forEach(StoreProbe::close);
    server.close();
  }

  private StoreProbe client(String options) {
    StoreProbe client = Probes.open(server.url() + options);
    open.add(client);
    return client;
  }

  @Test
  void keysAreReadableAndNothingIsLeftButTombstones() {
    StoreProbe client = client("");
    Grant permit = client.claimed(SEMAPHORE, 1, ALL_THREE);
    client.queued(SEMAPHORE, 2, ONE);
    Grant writer = client.claimed(READ_WRITE, 3, WRITER);
    client.queued(BARRIER, 4, new Share(1, 2, false));
    client.queued(new ResourceId(ResourceKind.SEMAPHORE, "a}b"), 5, new Share(1, 0, false));

    assertThat(keys())
        .containsExactlyInAnyOrder(
            "test:{r}:sem",
            "test:{r}:sem:q",
            "test:{r}:sem:w",
            "test:{r}:rw",
            "test:{r}:bar",
            "test:{r}:bar:q",
            "test:{r}:bar:w",
            "test:{a%7Db}:sem",
            "test:{a%7Db}:sem:q",
            "test:{a%7Db}:sem:w");
    assertThat(keys()).allSatisfy(key -> assertThat(timeToLive(key)).isPositive());
    client.release(SEMAPHORE, permit);
    client.release(READ_WRITE, writer);
    StoreProbe.get(client.store.withdraw(SEMAPHORE, 2));
    StoreProbe.get(client.store.withdraw(BARRIER, 4));
    StoreProbe.get(client.store.withdraw(new ResourceId(ResourceKind.SEMAPHORE, "a}b"), 5));

    assertThat(keys())
        .containsExactlyInAnyOrder(
            "test:{r}:sem", "test:{r}:rw", "test:{r}:bar", "test:{r}:bar:x", "test:{a%7Db}:sem");
    assertThat(
            Set.copyOf((List<?>) Objects.requireNonNull(server.command("HKEYS", "test:{r}:sem"))))
        .isEqualTo(Set.of("v", "t"));
    assertThat(server.command("HKEYS", "test:{r}:bar")).isEqualTo(List.of("v"));
    assertThat(keys()).allSatisfy(key -> assertThat(timeToLive(key)).isPositive());
  }

  @Test
  void aLimitThatWasSetStaysAndOneThatWasGivenUpGoes() {
    StoreProbe client = client("");

    StoreProbe.resize(client.store, SEMAPHORE, 7);

    assertThat(keys()).containsExactlyInAnyOrder("test:{r}:sem:l", "test:{r}:sem:x");
    assertThat(timeToLive("test:{r}:sem:l")).isEqualTo(-1);
    assertThat(timeToLive("test:{r}:sem:x")).isPositive();
    StoreProbe.resize(client.store, SEMAPHORE, Inspection.UNSET);
    assertThat(keys()).containsExactly("test:{r}:sem:x");
  }

  @Test
  void everyKeyOutlivesTheLongestGrantInIt() {
    StoreProbe client = client("");
    long longLease = 10 * StoreProbe.LEASE_MILLIS;
    answer(client.store.claim(new ClaimRequest(SEMAPHORE, 1, longLease, 1, true, ONE)));
    client.claimed(SEMAPHORE, 2, ONE);
    client.claimed(SEMAPHORE, 3, ONE);
    client.queued(SEMAPHORE, 4, ONE);
    StoreProbe.get(client.store.renew(List.of(new RenewRequest(SEMAPHORE, 2, 1_000))));

    for (String key : List.of("test:{r}:sem", "test:{r}:sem:e")) {
      assertThat(timeToLive(key)).isBetween(longLease, longLease + 60_000);
    }
    for (long grant = 1; grant <= 3; grant++) {
      answer(client.store.release(new ReleaseRequest(SEMAPHORE, grant, 0, null)));
    }
    assertThat(timeToLive("test:{r}:sem:e")).isGreaterThan(1_000);
  }

  @Test
  void aFullMemoryRefusesClaimsAndNothingElse() {
    StoreProbe holder = client("?afterLoss=grant");
    StoreProbe waiter = client("?afterLoss=grant");
    holder.claimed(SEMAPHORE, 1, new Share(2, 3, false));
    Grant last = holder.claimed(SEMAPHORE, 2, ONE);
    waiter.queued(SEMAPHORE, 1, ONE);
    waiter.queued(SEMAPHORE, 2, ONE);
    waiter.queued(SEMAPHORE, 3, ONE);
    server.command("CONFIG", "SET", "maxmemory", "1");

    assertThat(waiter.claim(new ResourceId(ResourceKind.SEMAPHORE, "other"), 8).toString())
        .contains("FULL");
    assertThat(waiter.claim(SEMAPHORE, 9).toString()).contains("FULL");
    assertThat(StoreProbe.answer(holder.renew(SEMAPHORE, last)).renewed()).isTrue();
    assertThat(waiter.poll(SEMAPHORE, 1).toString()).startsWith("Queued");
    assertThat(StoreProbe.answer(shrink(holder, 1)).renewed()).isTrue();
    assertThat(waiter.notification()).endsWith("[1]");
    assertThat(StoreProbe.answer(StoreProbe.get(waiter.store.withdraw(SEMAPHORE, 2)))).isNotNull();
    assertThat(holder.release(SEMAPHORE, last).released()).isTrue();
    assertThat(waiter.notification()).endsWith("[3]");
    assertThat(StoreProbe.answer(StoreProbe.force(waiter.store, SEMAPHORE)).wasHeld()).isTrue();
    assertThat(answer(waiter.store.inspect(SEMAPHORE)).holders()).isEmpty();
  }

  private static Outcome<RenewAnswer> shrink(StoreProbe client, long grant) {
    RenewRequest request = new RenewRequest(SEMAPHORE, null, grant, StoreProbe.LEASE_MILLIS, 1);
    return StoreProbe.get(client.store.renew(List.of(request))).get(0);
  }

  @Test
  void whatTheServerHasForgottenIsNotGrantedBeforeItsLeaseMustBeOver() {
    StoreProbe client = client("");
    long lease = Delays.millis(1_000).toMillis();
    answer(client.store.claim(new ClaimRequest(SEMAPHORE, 1, lease, 1, true, ONE)));
    answer(client.store.claim(new ClaimRequest(READ_WRITE, 2, lease, 1, true, READER)));
    server.command("FLUSHALL");

    ClaimRequest again = new ClaimRequest(SEMAPHORE, 3, lease, 1, true, ONE);
    assertThat(answer(client.store.claim(again)).toString()).startsWith("Queued");
    assertThat(renew(client, READ_WRITE, 2)).isFalse();
    ClaimRequest reader = new ClaimRequest(READ_WRITE, 4, lease, 1, true, READER);
    assertThat(answer(client.store.claim(reader)).toString()).startsWith("Queued");
    Inspection.Holder unknown = answer(client.store.inspect(SEMAPHORE)).holders().get(0);
    assertThat(unknown.clientId()).isEqualTo("?");

    await()
        .atMost(Delays.patience())
        .until(() -> client.poll(SEMAPHORE, 3).toString().startsWith("Granted"));
    client.poll(READ_WRITE, 4);
    assertThat(answer(client.store.inspect(READ_WRITE)).out()).isEqualTo(1);
    client.claimed(BARRIER, 5, new Share(1, 1, false));
  }

  private static boolean renew(StoreProbe client, ResourceId resource, long grant) {
    RenewRequest request = new RenewRequest(resource, grant, 1_000);
    return StoreProbe.answer(StoreProbe.get(client.store.renew(List.of(request))).get(0)).renewed();
  }

  @Test
  void whatOthersWroteIsRefusedAndNotTouched() {
    StoreProbe client = client("");
    server.command("HSET", "test:{r}:sem", "v", "2", "l", "4");
    server.command("SET", "test:{r}:rw", "a string");

    for (ResourceId resource : List.of(SEMAPHORE, READ_WRITE)) {
      assertForeign(client.claim(resource, 1));
      assertForeign(StoreProbe.get(client.store.release(new ReleaseRequest(resource, 1, 0, null))));
      assertForeign(StoreProbe.get(client.store.withdraw(resource, 1)));
      assertForeign(StoreProbe.get(client.store.inspect(resource)));
      assertForeign(StoreProbe.force(client.store, resource));
      assertForeign(
          StoreProbe.get(client.store.renew(List.of(new RenewRequest(resource, 1, 1_000)))).get(0));
    }
    assertForeign(StoreProbe.resize(client.store, SEMAPHORE, 3));

    assertThat(keys()).containsExactlyInAnyOrder("test:{r}:sem", "test:{r}:rw");
    assertThat(server.command("HGET", "test:{r}:sem", "l")).isEqualTo("4");
    assertThat(server.command("GET", "test:{r}:rw")).isEqualTo("a string");
  }

  @Test
  void theDocumentedRightsSuffice() {
    String rights =
        "ACL SETUSER locks on >p resetkeys ~test:* resetchannels &test:c:* -@all +hello +subscribe"
            + " +script|load +evalsha +eval +time +exists +get +set +del +hmget +hget +hset +hdel"
            + " +hgetall +hkeys +pexpire +zadd +zcard +zrange +zrangebyscore +zrem +zremrangebyrank"
            + " +zremrangebyscore +zscore +publish +scan";
    server.command(rights.split(" "));
    StoreProbe client = Probes.open("redis://locks:p@127.0.0.1:" + server.port());
    open.add(client);

    Grant lock = client.claimed(ResourceId.lock("r"), 100);
    client.queued(ResourceId.lock("r"), 101);
    client.queued(ResourceId.lock("r"), 102);
    StoreProbe.get(client.store.withdraw(ResourceId.lock("r"), 102));
    assertThat(StoreProbe.answer(client.renew(ResourceId.lock("r"), lock)).renewed()).isTrue();
    assertThat(client.release(ResourceId.lock("r"), lock).next()).isNotNull();
    assertThat(answer(client.store.resources(Listing.all()))).containsExactly(ResourceId.lock("r"));
    assertThat(answer(client.store.clients(List.of(client.id)))).hasSize(1);
    assertThat(StoreProbe.answer(StoreProbe.force(client.store, ResourceId.lock("r"))).wasHeld())
        .isTrue();
    Grant grant = client.claimed(SEMAPHORE, 1, ALL_THREE);
    client.queued(SEMAPHORE, 2, new Share(1, 3, true));
    StoreProbe.answer(StoreProbe.resize(client.store, SEMAPHORE, 4));
    assertThat(client.poll(SEMAPHORE, 2).toString()).startsWith("Granted");
    assertThat(client.release(SEMAPHORE, grant).released()).isTrue();
    assertThat(answer(client.store.inspect(SEMAPHORE)).out()).isEqualTo(1);
    assertThat(StoreProbe.answer(StoreProbe.force(client.store, SEMAPHORE)).wasHeld()).isTrue();
    StoreProbe.answer(StoreProbe.resize(client.store, SEMAPHORE, Inspection.UNSET));
    client.queued(BARRIER, 3, new Share(1, 2, false));
    client.claimed(BARRIER, 4, new Share(1, 2, false));
    answer(client.store.claim(new ClaimRequest(READ_WRITE, 5, 1, 1, true, READER)));
    answer(client.store.claim(StoreProbe.request(READ_WRITE, 6, WRITER)));
    await()
        .atMost(Delays.patience())
        .until(() -> client.poll(READ_WRITE, 6).toString().startsWith("Granted"));
  }

  private static void assertForeign(Outcome<?> outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Refused.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.FOREIGN_RECORD));
  }

  private static <T> T answer(CompletionStage<Outcome<T>> stage) {
    return StoreProbe.answer(StoreProbe.get(stage));
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (Object key : (List<?>) Objects.requireNonNull(server.command("KEYS", "*"))) {
      keys.add((String) key);
    }
    keys.removeIf(key -> key.matches(".*:(mark|names)"));
    keys.removeIf(key -> key.startsWith("test:i:")); // the names of clients
    return keys;
  }

  private long timeToLive(String key) {
    return (Long) Objects.requireNonNull(server.command("PTTL", key));
  }
}
