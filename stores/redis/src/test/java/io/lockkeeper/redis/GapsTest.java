package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.RedisServerBuilder;
import io.lockkeeper.servers.fault.ClockShim;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Servers whose memory has gaps, and servers whose clock is not that of the server before: a frozen
 * holder's lease is followed by no other before it is over, and soon after it is.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class GapsTest {

  private static final long LEASE_MILLIS = 3_000;
  private static final Duration HEARTBEAT = Duration.ofSeconds(5);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final ResourceId SEMAPHORE = new ResourceId(ResourceKind.SEMAPHORE, "a");

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<TcpProxy> proxies = new ArrayList<>();
  private ClockShim clock;
  private ClockShim replicasClock;
  private RedisServer server;
  private RedisServer replica;

  @BeforeEach
  void start() {
    clock = opened(ClockShim.createIfPossible());
    replicasClock = opened(ClockShim.createIfPossible());
    server = start(RedisServer.builder(), clock);
  }

  private RedisServer start(RedisServerBuilder builder, ClockShim clock) {
    return opened(builder.binary(Binaries.newest()).environment(clock.environment()).start());
  }

  private static void jump(ClockShim clock, Duration ahead) {
    Assumptions.assumeTrue(clock.canJump(), "a C compiler on Linux is needed");
    clock.jumpTo(ahead);
  }

  @AfterEach
  void end() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private <C extends AutoCloseable> C opened(C closeable) {
    open.add(closeable);
    return closeable;
  }

  private void startReplica(Duration ahead) {
    if (!ahead.isZero()) {
      jump(replicasClock, ahead);
    }
    replica = start(RedisServer.builder().replicaOf(server), replicasClock);
    await().atMost(Delays.patience()).until(() -> server.isFollowedBy(replica));
  }

  /** From now on the replica hears nothing. */
  private void cutReplicaOff() {
    awaitReplicated();
    replica.freeze();
    server.dropReplicas();
  }

  private void awaitReplicated() {
    await()
        .atMost(Delays.patience())
        .until(
            () ->
                server
                    .info("replication")
                    .get("slave0")
                    .endsWith(
                        "offset="
                            + server.info("replication").get("master_repl_offset")
                            + ",lag=0"));
  }

  /** The replica takes over, and all clients are led to it. */
  private void failOver() {
    server.kill();
    replica.thawIfFrozen();
    replica.command("REPLICAOF", "NO", "ONE");
    proxies.forEach(proxy -> proxy.leadTo(RedisServer.HOST, replica.port()));
    server = replica;
  }

  private StoreProbe client() {
    return client("");
  }

  private StoreProbe client(String options) {
    TcpProxy proxy = opened(new TcpProxy(RedisServer.HOST, server.port()));
    proxies.add(proxy);
    return opened(Probes.open("redis://127.0.0.1:" + proxy.port() + "?timeout=1s" + options));
  }

  static List<ResourceId> resources() {
    return List.of(ResourceId.lock("a"), SEMAPHORE);
  }

  private static ClaimRequest request(ResourceId resource, long claim, long leaseMillis) {
    return new ClaimRequest(resource, claim, leaseMillis, 1, true, new Share(1, 1, false));
  }

  private static Grant claimed(
      StoreProbe client, ResourceId resource, long claim, long leaseMillis) {
    return StoreProbe.granted(
        StoreProbe.get(client.store.claim(request(resource, claim, leaseMillis))));
  }

  private static ReleaseAnswer released(StoreProbe client, ResourceId resource, Grant grant) {
    await()
        .atMost(Delays.patience())
        .until(
            () ->
                StoreProbe.get(client.store.release(StoreProbe.releaseRequest(resource, grant)))
                    instanceof Outcome.Answered<?>);
    return StoreProbe.answer(
        StoreProbe.get(client.store.release(StoreProbe.releaseRequest(resource, grant))));
  }

  private static boolean renewed(StoreProbe client, ResourceId resource, Grant grant) {
    List<Outcome<RenewAnswer>> answers = new ArrayList<>();
    await()
        .atMost(Delays.patience())
        .until(
            () -> {
              answers.add(
                  StoreProbe.get(
                          client.store.renew(
                              List.of(new RenewRequest(resource, grant.grant(), LEASE_MILLIS))))
                      .get(0));
              return answers.get(answers.size() - 1) instanceof Outcome.Answered<?>;
            });
    return StoreProbe.answer(answers.get(answers.size() - 1)).renewed();
  }

  /** Claims until granted, and looks after the claim as a client does. */
  private static Grant awaitGrant(
      StoreProbe client, ResourceId resource, long claim, long leaseMillis) {
    List<Grant> grants = new ArrayList<>();
    await()
        .atMost(Delays.patience())
        .until(
            () -> {
              Outcome<ClaimAnswer> outcome =
                  StoreProbe.get(client.store.claim(request(resource, claim, leaseMillis)));
              if (outcome instanceof Outcome.Answered<ClaimAnswer> answered
                  && answered.answer() instanceof ClaimAnswer.Granted granted) {
                grants.add(granted.grant());
              }
              return !grants.isEmpty();
            });
    return grants.get(0);
  }

  private static void assertOver(long sentNanos, long leaseMillis) {
    assertThat(Duration.ofNanos(System.nanoTime() - sentNanos))
        .as("when another is admitted")
        .isGreaterThanOrEqualTo(Duration.ofMillis(leaseMillis));
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  // ------------------------------------------------------------- servers with other clocks

  @ParameterizedTest(name = "{0}, the clock {1} s ahead")
  @CsvSource({"a,5", "a,180", "a,-180", "sem,5", "sem,-180"})
  void aFrozenHoldersLeaseIsFollowedNoEarlierAndNotMuchLaterAtAServerWithAnotherClock(
      String what, long ahead) {
    ResourceId resource = what.equals("sem") ? SEMAPHORE : ResourceId.lock(what);
    startReplica(Duration.ofSeconds(ahead));
    StoreProbe holder = client();
    StoreProbe waiter = client();
    long sent = System.nanoTime();
    claimed(holder, resource, 1, LEASE_MILLIS);
    awaitReplicated();

    failOver();

    awaitGrant(waiter, resource, 1, LEASE_MILLIS);
    assertOver(sent, LEASE_MILLIS);
  }

  @ParameterizedTest
  @MethodSource("resources")
  void aHolderThatRenewsKeepsItsLeaseAtAServerWhoseClockIsAhead(ResourceId resource) {
    startReplica(Duration.ofSeconds(30));
    StoreProbe holder = client();
    StoreProbe waiter = client();
    Grant grant = claimed(holder, resource, 1, LEASE_MILLIS);
    StoreProbe.get(waiter.store.claim(request(resource, 1, LEASE_MILLIS)));
    awaitReplicated();

    failOver();

    await()
        .atMost(Delays.patience())
        .until(
            () ->
                StoreProbe.get(waiter.store.poll(List.of(new PollRequest(resource, 1)))).get(0)
                    instanceof Outcome.Answered<PollAnswer>);
    assertThat(renewed(holder, resource, grant)).isTrue();
    assertThat(StoreProbe.answer(StoreProbe.get(waiter.store.inspect(resource))).holders())
        .anySatisfy(it -> assertThat(it.clientId()).isEqualTo(holder.id));
    assertThat(released(holder, resource, grant)).isNotNull();
    awaitGrant(waiter, resource, 1, LEASE_MILLIS);
  }

  /** The longest lease is a minute: a waiter for its end would wait too long. */
  @Test
  void aHolderThatHasRenewedHandsOverAtOnce() {
    startReplica(Duration.ofSeconds(5));
    StoreProbe holder = client();
    StoreProbe waiter = client();
    Grant grant = claimed(holder, ResourceId.lock("a"), 1, StoreProbe.LEASE_MILLIS);
    awaitReplicated();
    failOver();
    assertThat(renewed(holder, ResourceId.lock("a"), grant)).isTrue();
    StoreProbe.get(waiter.store.claim(request(ResourceId.lock("a"), 1, LEASE_MILLIS)));

    released(holder, ResourceId.lock("a"), grant);

    awaitGrant(waiter, ResourceId.lock("a"), 1, LEASE_MILLIS);
  }

  @Test
  void tokensGrowThoughTheNewServersClockIsBehindAndHasForgottenTheGrants() {
    startReplica(Duration.ofMinutes(-3));
    StoreProbe client = client();
    released(
        client,
        ResourceId.lock("before"),
        claimed(client, ResourceId.lock("before"), 1, LEASE_MILLIS));
    cutReplicaOff();
    Grant forgotten = claimed(client, ResourceId.lock("a"), 2, LEASE_MILLIS);
    released(client, ResourceId.lock("a"), forgotten);
    Grant forgottenShare = claimed(client, SEMAPHORE, 3, LEASE_MILLIS);
    released(client, SEMAPHORE, forgottenShare);

    failOver();

    assertThat(awaitGrant(client, ResourceId.lock("a"), 4, LEASE_MILLIS).firstToken())
        .isGreaterThan(forgotten.lastToken());
    assertThat(awaitGrant(client, SEMAPHORE, 5, LEASE_MILLIS).firstToken())
        .isGreaterThan(forgottenShare.lastToken());
  }

  // ------------------------------------------------------------- a replica that is behind

  @ParameterizedTest
  @MethodSource("resources")
  void aReleaseThatIsRepeatedAtAServerThatIsBehindLetsNobodyInBesideAForgottenHolder(
      ResourceId resource) {
    startReplica(Duration.ZERO);
    StoreProbe first = client();
    StoreProbe second = client();
    StoreProbe third = client();
    Grant grant = claimed(first, resource, 1, LEASE_MILLIS);
    cutReplicaOff();
    released(first, resource, grant);
    long sent = System.nanoTime();
    claimed(second, resource, 1, LEASE_MILLIS);

    failOver();

    released(first, resource, grant);
    awaitGrant(third, resource, 1, LEASE_MILLIS);
    assertOver(sent, LEASE_MILLIS);
  }

  @ParameterizedTest
  @MethodSource("resources")
  void forceAtAServerThatIsBehindLetsNobodyInBesideAForgottenHolder(ResourceId resource) {
    startReplica(Duration.ZERO);
    StoreProbe first = client();
    StoreProbe second = client();
    StoreProbe third = client();
    Grant grant = claimed(first, resource, 1, LEASE_MILLIS);
    StoreProbe.get(third.store.claim(request(resource, 1, LEASE_MILLIS)));
    cutReplicaOff();
    StoreProbe.get(third.store.withdraw(resource, 1));
    released(first, resource, grant);
    long sent = System.nanoTime();
    claimed(second, resource, 1, LEASE_MILLIS);

    failOver();

    await().atMost(Delays.patience()).until(() -> third.notifications.contains("reconnected"));
    await()
        .atMost(Delays.patience())
        .until(() -> StoreProbe.force(first.store, resource) instanceof Outcome.Answered<?>);
    StoreProbe.get(third.store.inspect(resource)); // what was pushed has come before the answer
    assertThat(third.notifications).noneMatch(each -> each.startsWith("granted"));
    awaitGrant(third, resource, 1, LEASE_MILLIS);
    assertOver(sent, LEASE_MILLIS);
  }

  @ParameterizedTest
  @MethodSource("resources")
  void whatWasFreeAtAServerThatIsBehindWaitsForAForgottenHolder(ResourceId resource) {
    startReplica(Duration.ZERO);
    StoreProbe first = client();
    StoreProbe second = client();
    released(first, resource, claimed(first, resource, 1, LEASE_MILLIS));
    cutReplicaOff();
    long sent = System.nanoTime();
    claimed(first, resource, 2, LEASE_MILLIS);

    failOver();

    awaitGrant(second, resource, 1, LEASE_MILLIS);
    assertOver(sent, LEASE_MILLIS);
  }

  /** The claim admitted last is forgotten, and the one before it is notified again of its grant. */
  @ParameterizedTest
  @MethodSource("resources")
  void aGrantThatHadLapsedIsNotGivenOutAgainAtAServerThatIsBehind(ResourceId resource) {
    startReplica(Duration.ZERO);
    StoreProbe first = client();
    StoreProbe lapsed = client();
    StoreProbe forgotten = client();
    Grant grant = claimed(first, resource, 1, LEASE_MILLIS);
    StoreProbe.get(lapsed.store.claim(request(resource, 1, LEASE_MILLIS)));
    released(first, resource, grant); // lets the second in, for the claim deadline
    cutReplicaOff();
    long sent = System.nanoTime();
    awaitGrant(forgotten, resource, 1, LEASE_MILLIS);

    failOver();

    awaitGrant(lapsed, resource, 1, LEASE_MILLIS);
    assertOver(sent, LEASE_MILLIS);
  }

  @Test
  void aLongerLeaseThatAnotherClientAskedForIsWaitedFor() {
    long longMillis = 2 * LEASE_MILLIS;
    startReplica(Duration.ZERO);
    StoreProbe patient = client();
    StoreProbe hasty = client();
    claimed(hasty, ResourceId.lock("b"), 1, 500);
    released(patient, ResourceId.lock("c"), claimed(patient, ResourceId.lock("c"), 1, longMillis));
    cutReplicaOff();
    long sent = System.nanoTime();
    claimed(patient, ResourceId.lock("a"), 2, longMillis);

    failOver();

    awaitGrant(hasty, ResourceId.lock("a"), 2, 500);
    assertOver(sent, longMillis);
  }

  @Test
  void whereReplicasConfirmWhatIsFreeIsGrantedAtOnceAfterAFailover() {
    startReplica(Duration.ZERO);
    StoreProbe client = client("&replicas=1&replicaTimeout=900ms");
    released(
        client,
        ResourceId.lock("a"),
        awaitGrant(client, ResourceId.lock("a"), 1, StoreProbe.LEASE_MILLIS));
    awaitReplicated();
    failOver();
    try (RedisServer next =
        RedisServer.builder().binary(Binaries.newest()).replicaOf(server).start()) {
      await().atMost(Delays.patience()).until(() -> server.isFollowedBy(next));

      awaitGrant(client, ResourceId.lock("a"), 2, LEASE_MILLIS);
    }
  }

  // ------------------------------------------------------------- a server that comes back empty

  @Test
  void aNewClientThatIsTheFirstAtAServerThatCameBackEmptyWaitsForAForgottenHolder() {
    StoreProbe holder = client();
    long sent = System.nanoTime();
    claimed(holder, ResourceId.lock("a"), 1, LEASE_MILLIS);
    server.restart(RedisServer.Data.LOST);

    StoreProbe newcomer = client();
    awaitGrant(newcomer, ResourceId.lock("a"), 1, LEASE_MILLIS);

    assertOver(sent, LEASE_MILLIS);
  }

  @Test
  void aNewClientThatIsTheFirstAfterAFlushHidesNothingFromTheOthers() {
    StoreProbe holder = client();
    StoreProbe other = client();
    released(other, ResourceId.lock("b"), claimed(other, ResourceId.lock("b"), 1, LEASE_MILLIS));
    long sent = System.nanoTime();
    claimed(holder, ResourceId.lock("a"), 1, LEASE_MILLIS);
    server.command("FLUSHALL");

    StoreProbe newcomer = client();
    awaitGrant(
        newcomer, ResourceId.lock("c"), 1, 100); // the server has been running for longer than that

    awaitGrant(other, ResourceId.lock("a"), 2, LEASE_MILLIS);
    assertOver(sent, LEASE_MILLIS);
  }

  /** Each of the old clients brings the same news: they are waited for once. */
  @Test
  void theSameLossIsWaitedForOnce() {
    List<StoreProbe> old = List.of(client(), client(), client());
    old.forEach(
        it ->
            released(it, ResourceId.lock("b"), claimed(it, ResourceId.lock("b"), 1, LEASE_MILLIS)));
    server.command("FLUSHALL");
    awaitGrant(old.get(0), ResourceId.lock("c"), 2, LEASE_MILLIS);

    for (int i = 1; i < old.size(); i++) {
      claimed(old.get(i), ResourceId.lock("d" + i), 2, LEASE_MILLIS);
    }
  }

  // ------------------------------------------------------------- a clock that goes back

  @ParameterizedTest
  @CsvSource({"a,false", "a,true", "sem,false", "sem,true"})
  void aClockThatGoesBackAnHourLeavesADeadHolderOneLease(String what, boolean renewsOnce) {
    ResourceId resource = what.equals("sem") ? SEMAPHORE : ResourceId.lock(what);
    StoreProbe holder = client();
    StoreProbe waiter = client();
    Grant grant = claimed(holder, resource, 1, LEASE_MILLIS);
    StoreProbe.get(waiter.store.claim(request(resource, 1, LEASE_MILLIS)));
    long sent = System.nanoTime();
    jump(clock, HOUR.negated());
    if (renewsOnce) {
      sent = System.nanoTime();
      assertThat(renewed(holder, resource, grant)).isTrue();
    }

    awaitGrant(waiter, resource, 1, LEASE_MILLIS);

    if (renewsOnce) {
      assertOver(sent, LEASE_MILLIS);
    }
  }

  @Test
  void aClockThatGoesBackAnHourLeavesDeadWaitersOneHeartbeat() {
    StoreProbe holder = client();
    StoreProbe waiter = client();
    Grant grant = claimed(holder, ResourceId.lock("a"), 1, StoreProbe.LEASE_MILLIS);
    for (int i = 0; i < 2; i++) {
      StoreProbe.get(client().store.claim(request(ResourceId.lock("a"), 1, LEASE_MILLIS)));
    }
    StoreProbe.get(waiter.store.claim(request(ResourceId.lock("a"), 1, LEASE_MILLIS)));
    jump(clock, HOUR.negated());
    waiter.poll(ResourceId.lock("a"), 1);
    for (int i = 0; i < 3; i++) {
      pass(HEARTBEAT.dividedBy(2));
      waiter.poll(ResourceId.lock("a"), 1);
    }

    released(holder, ResourceId.lock("a"), grant);

    assertThat((String) server.command("HGET", "test:{a}", "o")).startsWith(waiter.id + ".");
  }

  // ------------------------------------------------------------- what is left

  @Test
  void aQueueThatBecameEmptyAndFillsAgainHasATimeToLive() {
    StoreProbe one = client();
    StoreProbe two = client();
    Grant grant = claimed(one, ResourceId.lock("a"), 1, LEASE_MILLIS);
    StoreProbe.get(two.store.claim(request(ResourceId.lock("a"), 1, LEASE_MILLIS)));
    StoreProbe.answer(
        StoreProbe.get(one.store.release(StoreProbe.releaseRequest(ResourceId.lock("a"), grant))));
    StoreProbe.get(one.store.claim(request(ResourceId.lock("a"), 2, LEASE_MILLIS)));

    assertThat((Long) server.command("PTTL", "test:{a}:q")).isPositive();
    assertThat((Long) server.command("PTTL", "test:{a}:w")).isPositive();
  }
}
