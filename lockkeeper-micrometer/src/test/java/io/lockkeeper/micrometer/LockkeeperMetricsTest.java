package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LockkeeperMetricsTest {

  private static final AcquireOptions ONCE = AcquireOptions.defaults().withWait(Duration.ZERO);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Lockkeeper connect(LockkeeperMetrics metrics) {
    metrics.bindTo(registry);
    return Lockkeeper.builder()
        .observer(metrics)
        .listener(metrics)
        .lease(Duration.ofMillis(300))
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
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> registry.find("lockkeeper.renewals").counter() != null);
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
      assertThat(gauge("lockkeeper.held")).isZero();
      assertThat(gauge("lockkeeper.waiting")).isZero();
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
      assertThat(registry.get("lockkeeper.acquire").tags("lock", "stock:{}").timer().count())
          .isEqualTo(1);
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

  /** Every meter that they name is one of those that the class documents, and of its type. */
  @Test
  void theDashboardAndTheAlertsNameMetersThatThereAre() throws Exception {
    try (Lockkeeper keeper = connect(new LockkeeperMetrics())) {
      keeper.lock("a").acquire(ONCE.withFixedLease(Duration.ofMillis(50)));
      Lease renewed = keeper.lock("b").acquire();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  registry.find("lockkeeper.lost").counter() != null
                      && registry.find("lockkeeper.renewals").counter() != null
                      && registry.find("lockkeeper.hold").timer() != null);
      renewed.release();
    }
    Set<String> known = new TreeSet<>(Set.of("lockkeeper_deadlocks_total"));
    for (Meter meter : registry.getMeters()) {
      String name = meter.getId().getName().replace('.', '_');
      known.addAll(
          switch (meter.getId().getType()) {
            case TIMER ->
                List.of(name + "_seconds_count", name + "_seconds_sum", name + "_seconds_max");
            case COUNTER -> List.of(name + "_total");
            default -> List.of(name);
          });
    }

    for (String file : List.of("grafana.json", "alerts.yml")) {
      List<String> named =
          Pattern.compile("lockkeeper_\\w+")
              .matcher(read(file))
              .results()
              .map(MatchResult::group)
              .toList();
      assertThat(named).as(file).isNotEmpty();
      assertThat(known).as(file).containsAll(named);
    }
  }

  private static String read(String file) throws IOException {
    try (InputStream in = LockkeeperMetrics.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void anAcquisitionAndItsHoldAreObserved() throws Exception {
    ObservationRegistry observations = ObservationRegistry.create();
    List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
    observations
        .observationConfig()
        .observationHandler(
            new ObservationHandler<>() {
              @Override
              public void onStop(Observation.Context context) {
                stopped.add(context);
              }

              @Override
              public boolean supportsContext(Observation.Context context) {
                return true;
              }
            });
    try (Lockkeeper keeper =
        Lockkeeper.builder()
            .observer(new ObservedLocks(observations))
            .connect("memory:observed-test")) {
      Lease lease = keeper.lock("a").acquire();
      assertThat(keeper.lock("a").tryAcquire(Duration.ZERO)).isEmpty();
      lease.release();

      assertThat(stopped)
          .extracting(Observation.Context::getName)
          .containsExactly(
              "lockkeeper.lock.acquire", "lockkeeper.lock.acquire", "lockkeeper.lock.hold");
      assertThat(stopped)
          .extracting(context -> context.getLowCardinalityKeyValue("outcome").getValue())
          .containsExactly("acquired", "timeout", "released");
      assertThat(stopped.get(2).getHighCardinalityKeyValue("lockkeeper.token").getValue())
          .isEqualTo(Long.toString(lease.token()));
      assertThat(stopped)
          .allSatisfy(
              context -> {
                assertThat(context.getLowCardinalityKeyValue("lock").getValue()).isEqualTo("none");
                assertThat(context.getHighCardinalityKeyValue("lockkeeper.lock.name").getValue())
                    .isEqualTo("a");
              });
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
  }

  @Test
  void theGuidesExampleIsCompiled() throws IOException {
    String source =
        Files.readString(
            Path.of("src/test/java/io/lockkeeper/micrometer/LockkeeperMetricsTest.java"));
    String guide = Files.readString(Path.of("../docs/guide/metrics.md"));
    String snippet = guide.substring(guide.indexOf("static Lockkeeper connect"));
    snippet = snippet.substring(0, snippet.indexOf("```"));
    assertThat(source.replaceAll("\\s+", " ")).contains(snippet.replaceAll("\\s+", " ").strip());
  }
}
