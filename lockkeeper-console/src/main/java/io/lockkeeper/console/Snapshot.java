package io.lockkeeper.console;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of a store at one time, as lists and maps for JSON: sums over all resources,
 * and those that matter most, which are waited for longest, and then held longest.
 */
final class Snapshot {

  private final List<ResourceReport> reports;
  private final WaitGraph graph;

  Snapshot(List<ResourceReport> reports) {
    this.reports = reports;
    this.graph = new WaitGraph(reports);
  }

  /**
   * Returns all of it.
   *
   * @param most how many resources are listed
   */
  Map<String, @Nullable Object> data(int most) {
    List<HolderReport> holders = all(ResourceReport::holders);
    List<WaiterReport> waiters = all(ResourceReport::waiters);
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("resources", reports.size());
    data.put("held", holders.size());
    data.put("waiting", waiters.size());
    data.put(
        "clients",
        Stream.concat(
                holders.stream().map(HolderReport::client),
                waiters.stream().map(WaiterReport::client))
            .map(ClientInfo::id)
            .distinct()
            .count());
    data.put("oldestHold", longest(holders, HolderReport::held));
    data.put("longestWait", longest(waiters, WaiterReport::waited));
    data.put("deadlocks", graph.circles());
    data.put(
        "listed",
        reports.stream()
            .sorted(Comparator.comparing(Snapshot::urgency).reversed())
            .limit(most)
            .map(this::resource)
            .toList());
    return data;
  }

  private <T> List<T> all(Function<ResourceReport, List<T>> part) {
    List<T> all = new ArrayList<>();
    reports.forEach(report -> all.addAll(part.apply(report)));
    return all;
  }

  private static <T> long longest(List<T> reports, Function<T, Duration> time) {
    return reports.stream().map(time).mapToLong(Duration::toMillis).max().orElse(0);
  }

  /** Any wait matters more than any hold. */
  private static double urgency(ResourceReport report) {
    long waited = longest(report.waiters(), WaiterReport::waited);
    long held = longest(report.holders(), HolderReport::held);
    return report.waiters().isEmpty() ? -1.0 / (1 + held) : waited;
  }

  private Map<String, @Nullable Object> resource(ResourceReport report) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("kind", report.kind().name());
    data.put("title", WaitGraph.title(report));
    data.put("name", report.name());
    data.put("limit", orNull(report.limit()));
    data.put("holders", report.holders().stream().map(Snapshot::holder).toList());
    data.put("waiters", report.waiters().stream().map(Snapshot::waiter).toList());
    data.put("why", report.waiters().isEmpty() ? List.of() : graph.chain(report));
    return data;
  }

  private static Map<String, @Nullable Object> holder(HolderReport holder) {
    Map<String, @Nullable Object> data = client(holder.client(), holder.thread());
    data.put("grant", String.valueOf(holder.grant()));
    data.put("token", String.valueOf(holder.token())); // too large for JavaScript's numbers
    data.put("permits", orNull(holder.permits()));
    data.put("held", holder.held().toMillis());
    data.put("leaseLeft", holder.leaseLeft().toMillis());
    data.put("resting", holder.resting());
    return data;
  }

  private static Map<String, @Nullable Object> waiter(WaiterReport waiter) {
    Map<String, @Nullable Object> data = client(waiter.client(), waiter.thread());
    data.put("position", waiter.position());
    data.put("permits", orNull(waiter.permits()));
    data.put("waited", waiter.waited().toMillis());
    return data;
  }

  private static Map<String, @Nullable Object> client(ClientInfo client, @Nullable String thread) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("clientId", client.id());
    data.put("client", client.toString());
    data.put("host", client.host());
    data.put("pid", client.pid());
    data.put("thread", thread);
    return data;
  }

  private static @Nullable Integer orNull(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }
}
