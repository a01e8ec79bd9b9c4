package io.lockkeeper.console;

import io.lockkeeper.CellReport;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import io.lockkeeper.console.Survey.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store at one time as the page shows it, as lists and maps for JSON: sums over all resources
 * that were seen, and those that matter most, which are waited for longest, and then held longest;
 * the clients, the elections and the semaphores among them; and the cells.
 */
final class Snapshot {

  /** How many holders, and how many waiters, are listed for a resource. */
  private static final int MOST_PEOPLE = 100;

  private final Survey survey;
  private final long now = System.nanoTime();
  private final Collection<Seen> seen;
  private final List<HolderReport> holders;
  private final List<WaiterReport> waiters;
  private final WaitGraph graph;

  Snapshot(Survey survey) {
    this.survey = survey;
    this.seen = survey.seen();
    this.holders = all(ResourceReport::holders);
    this.waiters = all(ResourceReport::waiters);
    this.graph = new WaitGraph(seen.stream().map(Seen::report).toList());
  }

  private <T> List<T> all(Function<ResourceReport, List<T>> part) {
    List<T> all = new ArrayList<>();
    seen.forEach(one -> all.addAll(part.apply(one.report())));
    return all;
  }

  /**
   * Returns all of it.
   *
   * @param most how many resources, and how many of each other thing, are listed
   */
  Map<String, @Nullable Object> data(int most) {
    List<Map<String, @Nullable Object>> clients = clients();
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("resources", seen.size());
    data.put("held", holders.size());
    data.put("waiting", waiters.size());
    data.put("clients", clients.size());
    data.put("oldestHold", longest(holders, HolderReport::held));
    data.put("longestWait", longest(waiters, WaiterReport::waited));
    data.put("isDivided", survey.isDivided());
    data.put("isWhole", survey.isWhole());
    data.put("oldest", seen.stream().mapToLong(this::ageMillis).max().orElse(0));
    data.put("deadlocks", deadlocks());
    data.put("listed", listed(one -> true, most));
    data.put("elections", listed(kind(ResourceKind.LEADER_ELECTION), most));
    data.put("semaphores", listed(kind(ResourceKind.SEMAPHORE), most));
    data.put("clientList", clients.stream().limit(most).toList());
    data.put("cells", survey.cells().stream().map(Snapshot::cell).toList());
    data.put("hasMoreCells", survey.hasMoreCells());
    return data;
  }

  /** Returns those of which all is of this look: what is older may be over. */
  private List<List<String>> deadlocks() {
    Map<ResourceKey, Seen> byKey = new LinkedHashMap<>();
    seen.forEach(one -> byKey.put(ResourceKey.of(one.report()), one));
    return graph.circles().stream()
        .filter(
            circle ->
                circle.resources().stream()
                    .map(report -> byKey.get(ResourceKey.of(report)))
                    .allMatch(one -> one != null && survey.isNew(one)))
        .map(WaitGraph.Circle::steps)
        .toList();
  }

  private static Predicate<Seen> kind(ResourceKind kind) {
    return one -> one.report().kind() == kind;
  }

  private List<Map<String, @Nullable Object>> listed(Predicate<Seen> which, int most) {
    return seen.stream()
        .filter(which)
        .sorted(Survey.BY_URGENCY)
        .limit(most)
        .map(this::resource)
        .toList();
  }

  private static <T> long longest(List<T> reports, Function<T, Duration> time) {
    return reports.stream().map(time).mapToLong(Duration::toMillis).max().orElse(0);
  }

  static long oldestHold(ResourceReport report) {
    return longest(report.holders(), HolderReport::held);
  }

  static long longestWait(ResourceReport report) {
    return longest(report.waiters(), WaiterReport::waited);
  }

  private long ageMillis(Seen one) {
    return Duration.ofNanos(Math.max(0, now - one.nanos())).toMillis();
  }

  private Map<String, @Nullable Object> resource(Seen one) {
    ResourceReport report = one.report();
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("kind", report.kind().name());
    data.put("title", WaitGraph.title(report));
    data.put("name", report.name());
    data.put("limit", orNull(report.limit()));
    data.put("age", ageMillis(one));
    data.put("held", report.holders().size());
    data.put("oldestHold", oldestHold(report));
    data.put(
        "leaseLeft",
        report.holders().stream().mapToLong(h -> h.leaseLeft().toMillis()).min().orElse(0));
    data.put("taken", report.holders().stream().mapToInt(h -> h.permits().orElse(0)).sum());
    data.put("waiting", report.waiters().size());
    data.put("longestWait", longestWait(report));
    data.put("holders", first(report.holders()).map(holder -> holder(report, holder)).toList());
    data.put("waiters", first(report.waiters()).map(waiter -> waiter(report, waiter)).toList());
    data.put("why", report.waiters().isEmpty() ? List.of() : graph.chain(report));
    return data;
  }

  private static <T> Stream<T> first(List<T> people) {
    return people.stream().limit(MOST_PEOPLE);
  }

  private static Map<String, @Nullable Object> holder(ResourceReport report, HolderReport holder) {
    Map<String, @Nullable Object> data = client(holder.client(), holder.thread());
    data.put("who", report.describe(holder));
    data.put("grant", String.valueOf(holder.grant()));
    data.put("token", String.valueOf(holder.token())); // too large for JavaScript's numbers
    data.put("permits", orNull(holder.permits()));
    data.put("held", holder.held().toMillis());
    data.put("leaseLeft", holder.leaseLeft().toMillis());
    data.put("resting", holder.resting());
    return data;
  }

  private static Map<String, @Nullable Object> waiter(ResourceReport report, WaiterReport waiter) {
    Map<String, @Nullable Object> data = client(waiter.client(), waiter.thread());
    data.put("who", report.describe(waiter));
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

  /** The holds and waits of one client. */
  private static final class Load {
    private final ClientInfo client;
    private int holds;
    private int waits;
    private long oldestHold;
    private long longestWait;

    Load(ClientInfo client) {
      this.client = client;
    }

    Map<String, @Nullable Object> data() {
      Map<String, @Nullable Object> data = Snapshot.client(client, null);
      data.put("holds", holds);
      data.put("waits", waits);
      data.put("oldestHold", oldestHold);
      data.put("longestWait", longestWait);
      return data;
    }
  }

  /** Returns the clients, those that wait longest first, and then those that hold most. */
  private List<Map<String, @Nullable Object>> clients() {
    Map<String, Load> loads = new LinkedHashMap<>();
    for (HolderReport holder : holders) {
      Load load = loads.computeIfAbsent(holder.client().id(), id -> new Load(holder.client()));
      load.holds++;
      load.oldestHold = Math.max(load.oldestHold, holder.held().toMillis());
    }
    for (WaiterReport waiter : waiters) {
      Load load = loads.computeIfAbsent(waiter.client().id(), id -> new Load(waiter.client()));
      load.waits++;
      load.longestWait = Math.max(load.longestWait, waiter.waited().toMillis());
    }
    return loads.values().stream()
        .sorted(
            Comparator.<Load>comparingLong(load -> load.longestWait)
                .thenComparingInt(load -> load.holds)
                .reversed())
        .map(Load::data)
        .toList();
  }

  private static Map<String, @Nullable Object> cell(CellReport cell) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("kind", cell.kind().toString().toLowerCase(Locale.ROOT));
    data.put("name", cell.name());
    data.put(
        "number", cell.number().isPresent() ? String.valueOf(cell.number().getAsLong()) : null);
    data.put("size", cell.size());
    return data;
  }

  private static @Nullable Integer orNull(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }
}
