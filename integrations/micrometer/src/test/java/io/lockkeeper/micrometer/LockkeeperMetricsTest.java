package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.RedisServer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockkeeperMetricsTest {

  private static final AcquireOptions ONCE = AcquireOptions.defaults().withWait(Duration.ZERO);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Lockkeeper connect(LockkeeperMetrics metrics) {
    metrics.bindTo(registry);
    return Lockkeeper.builder()
        .observer(metrics)
        .listener(metrics)
        .lease(Duration.ofSeconds(2))
        .connect("memory:metrics-test");
  }

  private double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Test
  void anAcquisitionAndItsHoldAreTimed() throws Exception {
    try (Lockkeeper keeper = connect(new LockkeeperMetrics())) {
      Lease lease = keeper.lock("stock:1001").acquire();
      assertThat(gauge("lockkeeper.held")).isEqualTo(1);
      assertThat(gauge("lockkeeper.waiting")).isZero();
      assertThat(keeper.lock("stock:1001").tryAcquire(Duration.ZERO)).isEmpty();
      await().atMost(Duration.ofSeconds(60)).until(() -> renewals("renewed") > 0);
      assertThat(gauge("lockkeeper.hold.oldest")).isPositive();
      lease.release();

      assertThat(
              registry
                  .get("lockkeeper.acquire")
                  .tags("lock", "none", "kind", "lock", "via", "store", "outcome", "acquired")
                  .timer()
                  .count())
          .isEqualTo(1);
      assertThat(registry.get("lockkeeper.acquire").tags("outcome", "timeout").timer().count())
          .isEqualTo(1);
      assertThat(registry.get("lockkeeper.hold").tags("outcome", "released").timer().count())
          .isEqualTo(1);
      assertThat(gauge("lockkeeper.hold.oldest")).isZero();
      assertThat(gauge("lockkeeper.held")).isZero();
      assertThat(gauge("lockkeeper.waiting")).isZero();
    }
  }

  private double renewals(String outcome) {
    return registry.get("lockkeeper.renewals").tags("outcome", outcome).counter().count();
  }

  @Test
  void renewalsWithoutAnAnswerAreCounted() throws Exception {
    LockkeeperMetrics metrics = new LockkeeperMetrics();
    try (RedisServer redis = RedisServer.start()) {
      metrics.bindTo(registry);
      Lockkeeper keeper =
          Lockkeeper.builder()
              .observer(metrics)
              .listener(metrics)
              .lease(Duration.ofSeconds(15)) // the failure has to be noticed before its end
              .connect(redis.url() + "?afterLoss=grant");
      try (keeper) {
        keeper.lock("a").acquire();
        assertThat(renewals("failed")).isZero();
        redis.freeze();

        await().atMost(Duration.ofSeconds(60)).until(() -> renewals("failed") > 0);

        redis.thaw();
      }
    }
  }

  @Test
  void anAlertSeesTheFirstLossSinceItsCounterWasThereBefore() throws Exception {
    try (Lockkeeper keeper = connect(new LockkeeperMetrics())) {
      keeper.lock("a").acquire(ONCE).release();

      for (LeaseLost.Reason reason : LeaseLost.Reason.values()) {
        assertThat(
                registry
                    .get("lockkeeper.lost")
                    .tags("reason", Meters.word(reason))
                    .counter()
                    .count())
            .isZero();
      }
      assertThat(registry.get("lockkeeper.deadlocks").counter().count()).isZero();
      assertThat(registry.get("lockkeeper.acquire").tags("outcome", "unavailable").timer().count())
          .isZero();
    }
  }

  @Test
  void aRegistryThatComesLaterHasTheMetersOfAllLocks() throws Exception {
    LockkeeperMetrics metrics = new LockkeeperMetrics();
    try (Lockkeeper keeper = connect(metrics)) {
      Lease lease = keeper.lock("a").acquire();
      SimpleMeterRegistry later = new SimpleMeterRegistry();
      metrics.bindTo(later);
      assertThat(later.get("lockkeeper.held").gauge().value()).isEqualTo(1);
      lease.release();

      for (MeterRegistry each : List.of(registry, later)) {
        assertThat(each.get("lockkeeper.held").gauge().value()).isZero();
        assertThat(each.get("lockkeeper.hold").timer().count()).isEqualTo(1);
      }
    }
  }

  @Test
  void aLossIsCountedWithItsReason() throws Exception {
    try (Lockkeeper keeper = connect(new LockkeeperMetrics())) {
      keeper.lock("a").acquire(ONCE.withFixedLease(Duration.ofMillis(50)));

      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                assertThat(
                        registry
                            .get("lockkeeper.lost")
                            .tags("reason", "fixed_lease_ended")
                            .counter()
                            .count())
                    .isEqualTo(1);
                assertThat(registry.get("lockkeeper.hold").tags("outcome", "lost").timer().count())
                    .isEqualTo(1);
              });
      assertThat(gauge("lockkeeper.held")).isZero();
    }
  }

  @Test
  void theNameOfALockIsInNoTagUnlessATemplateSaysSo() throws Exception {
    try (Lockkeeper keeper = connect(new LockkeeperMetrics())) {
      keeper.lock("secret").acquire(ONCE).release();
      assertThat(registry.getMeters()).isNotEmpty();
      for (Meter meter : registry.getMeters()) {
        assertThat(meter.getId().getTags()).contains(Tag.of("lock", "none"));
        assertThat(meter.getId().toString()).doesNotContain("secret");
      }
    }
    LockkeeperMetrics metrics =
        new LockkeeperMetrics(name -> name.startsWith("stock:") ? "stock:{}" : "other");
    try (Lockkeeper keeper = connect(metrics)) {
      keeper.lock("stock:1").acquire(ONCE).release();
      assertThat(
              registry
                  .get("lockkeeper.acquire")
                  .tags("lock", "stock:{}", "outcome", "acquired")
                  .timer()
                  .count())
          .isEqualTo(1);
    }
  }

  /** It is the help at an endpoint that Prometheus reads. */
  @Test
  void eachMeterHasADescription() throws Exception {
    LockkeeperMetrics metrics = new LockkeeperMetrics();
    metrics.bindTo(registry);
    try (Lockkeeper keeper =
        Lockkeeper.builder().observer(metrics).listener(metrics).connect("memory:described")) {
      metrics.watch(keeper);
      keeper.lock("a").acquire().release();

      assertThat(registry.getMeters())
          .extracting(meter -> meter.getId().getName())
          .contains("lockkeeper.acquire", "lockkeeper.hold", "lockkeeper.lost")
          .contains("lockkeeper.renewals", "lockkeeper.deadlocks", "lockkeeper.waiting");
      assertThat(registry.getMeters())
          .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
    }
  }

  @Test
  void droppedEventsAreCounted() {
    LockkeeperMetrics metrics = new LockkeeperMetrics();
    try (Lockkeeper keeper = connect(metrics)) {
      metrics.watch(keeper);

      assertThat(registry.get("lockkeeper.events.dropped").functionCounter().count()).isZero();
    }
  }

  /** The example of the guide. */
  static final class Example {

    static Lockkeeper connect(MeterRegistry registry) {
      LockkeeperMetrics metrics = new LockkeeperMetrics();
      metrics.bindTo(registry);
      Lockkeeper keeper =
          Lockkeeper.builder().observer(metrics).listener(metrics).connect("redis://localhost");
      metrics.watch(keeper);
      return keeper;
    }

    LockkeeperMetrics lockkeeperMetrics() {
      return new LockkeeperMetrics(name -> name.startsWith("stock:") ? "stock:{}" : "other");
    }
  }
}
