package io.lockkeeper.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lockkeeper;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The dashboard and the alerts ask for what Prometheus gets. */
class DashboardTest {

  private static final Pattern SAMPLE = Pattern.compile("(?m)^(lockkeeper_\\w+)(?:\\{(.*)\\})? ");
  private static final Pattern METRIC = Pattern.compile("(lockkeeper_\\w+)(?:\\{([^}]*)\\})?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final Pattern GROUPED =
      Pattern.compile("by \\(([^)]*)\\) \\([^)]*?(lockkeeper_\\w+)");
  private static final Pattern IN_TEXT = Pattern.compile("\\{\\{ ?(?:\\$labels\\.)?(\\w+) ?\\}\\}");

  /** The values of each label of each metric. */
  private static final Map<String, Map<String, Set<String>>> METRICS = new HashMap<>();

  @BeforeAll
  static void scrape() throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    LockkeeperMetrics metrics = new LockkeeperMetrics();
    metrics.bindTo(registry);
    try (Lockkeeper keeper =
        Lockkeeper.builder().observer(metrics).listener(metrics).connect("memory:dashboard-test")) {
      metrics.watch(keeper);
      AcquireOptions once = AcquireOptions.defaults().withWait(Duration.ZERO);
      keeper.lock("a").acquire(once).release();
      keeper.lock("b").acquire(once.withFixedLease(Duration.ofMillis(50)));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> registry.scrape().contains("outcome=\"lost\""));
    }
    Matcher samples = SAMPLE.matcher(registry.scrape());
    while (samples.find()) {
      Map<String, Set<String>> labels =
          METRICS.computeIfAbsent(samples.group(1), absent -> new HashMap<>());
      if (samples.group(2) != null) {
        LABEL
            .matcher(samples.group(2))
            .results()
            .forEach(
                label ->
                    labels
                        .computeIfAbsent(label.group(1), absent -> new TreeSet<>())
                        .add(label.group(2)));
      }
    }
  }

  /** Checks one expression, and that a text beside it has labels that it yields. */
  private static void check(String expression, String text) {
    List<MatchResult> named = METRIC.matcher(expression).results().toList();
    assertThat(named).as(expression).isNotEmpty();
    for (MatchResult metric : named) {
      assertThat(METRICS).as(expression).containsKey(metric.group(1));
      if (metric.group(2) != null) {
        Map<String, Set<String>> labels = METRICS.get(metric.group(1));
        List<MatchResult> selected = LABEL.matcher(metric.group(2)).results().toList();
        assertThat(selected).as(expression).isNotEmpty();
        for (MatchResult label : selected) {
          assertThat(labels.get(label.group(1))).as(expression).contains(label.group(2));
        }
      }
    }
    Set<String> yielded = new TreeSet<>();
    GROUPED
        .matcher(expression)
        .results()
        .forEach(
            grouped -> {
              List<String> labels = List.of(grouped.group(1).split(", "));
              assertThat(METRICS.get(grouped.group(2)).keySet()).as(expression).containsAll(labels);
              yielded.addAll(labels);
            });
    assertThat(yielded)
        .as(text)
        .containsAll(IN_TEXT.matcher(text).results().map(label -> label.group(1)).toList());
  }

  private static InputStream open(String file) {
    return LockkeeperMetrics.class.getResourceAsStream(file);
  }

  @Test
  void theDashboardAsksForMetricsAndLabelsThatThereAre() throws IOException {
    JsonNode dashboard;
    try (InputStream in = open("grafana.json")) {
      dashboard = new ObjectMapper().readTree(in);
    }
    Set<Integer> ids = new TreeSet<>();
    List<String> expressions = new ArrayList<>();
    for (JsonNode panel : dashboard.required("panels")) {
      assertThat(ids.add(panel.required("id").asInt())).as("a new id").isTrue();
      assertThat(panel.required("targets")).isNotEmpty();
      for (JsonNode target : panel.required("targets")) {
        String expression = target.required("expr").asText();
        check(expression, target.required("legendFormat").asText());
        expressions.add(expression);
      }
    }
    assertThat(String.join(" ", expressions))
        .contains("lockkeeper_events_dropped_total", "lockkeeper_renewals_total");
  }

  @Test
  @SuppressWarnings("unchecked")
  void theAlertsAskForMetricsAndLabelsThatThereAre() throws IOException {
    Map<String, List<Map<String, Object>>> alerts;
    try (InputStream in = open("alerts.yml")) {
      alerts = new Yaml().load(in);
    }
    Set<String> names = new TreeSet<>();
    for (Map<String, Object> group : alerts.get("groups")) {
      for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
        names.add((String) rule.get("alert"));
        check((String) rule.get("expr"), rule.get("annotations").toString());
      }
    }
    assertThat(names).contains("LockkeeperLeaseLost", "LockkeeperRenewalsFail");
    assertThat(Files.readString(Path.of("../../docs/guide/production.md"))).contains(names);
  }
}
