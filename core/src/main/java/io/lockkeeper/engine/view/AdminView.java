package io.lockkeeper.engine.view;

import io.lockkeeper.CellReport;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.LockkeeperAdmin;
import io.lockkeeper.Quarantine;
import io.lockkeeper.ResourceGlance;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.WaiterReport;
import io.lockkeeper.engine.coordination.Requests;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Glance;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.Named;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports what is held and waited for at the store, by all clients, for people.
 *
 * <p>This file is long because it asks for several things in several ways and makes reports of
 * them.
 */
final class AdminView implements LockkeeperAdmin {

  /** How many resources are asked about at once. */
  private static final int WINDOW = 128;

  private static final String WHAT = "inspection";

  private final ResourceCoordinators resources;
  private final ClientRuntime runtime;

  AdminView(ResourceCoordinators resources) {
    this.resources = resources;
    this.runtime = resources.runtime();
  }

  @Override
  public List<ResourceReport> inspect(ResourceQuery query) {
    List<ResourceReport> found = reports(listing(query));
    return query.isPart()
        ? found
        : found.stream()
            .sorted(Comparator.comparing(ResourceReport::name).thenComparing(ResourceReport::kind))
            .toList();
  }

  @Override
  public Optional<List<ResourceGlance>> glance(ResourceQuery query) {
    Listing<ResourceId> listing = listing(query);
    resources.all().forEach(ResourceCoordinator::awaitSent);
    return StoreCalls.ask(runtime, WHAT, () -> runtime.store().glance(listing))
        .map(glances -> glances.stream().map(AdminView::glance).toList());
  }

  private Listing<ResourceId> listing(ResourceQuery query) {
    String prefix = query.prefix();
    if (!prefix.isEmpty()) {
      Names.check("prefix", prefix);
    }
    runtime.checkOpen(WHAT);
    ResourceKind kind = query.afterKind();
    String name = query.afterName();
    ResourceId known = kind == null || name == null ? null : new ResourceId(kind, name);
    return new Listing<>(prefix, known, query.limit());
  }

  private static ResourceGlance glance(Glance glance) {
    ResourceId resource = glance.resource();
    OptionalLong lease = glance.leaseMicros();
    return new ResourceGlance(
        resource.kind(),
        resource.name(),
        glance.stamp(),
        lease.isPresent() ? micros(lease.getAsLong()) : null);
  }

  @Override
  public List<ResourceReport> inspect(Collection<ResourceGlance> asked) {
    runtime.checkOpen(WHAT);
    resources.all().forEach(ResourceCoordinator::awaitSent);
    List<ResourceId> ids =
        asked.stream()
            .map(each -> new ResourceId(each.kind(), Names.check("name", each.name())))
            .toList();
    Map<ResourceId, Inspection> found = new LinkedHashMap<>();
    for (int from = 0; from < ids.size(); from += WINDOW) {
      found.putAll(inspect(ids.subList(from, Math.min(from + WINDOW, ids.size()))));
    }
    return reports(found);
  }

  private List<ResourceReport> reports(Listing<ResourceId> listing) {
    resources.all().forEach(ResourceCoordinator::awaitSent);
    return reports(find(listing, next -> runtime.store().resources(next), this::inspect));
  }

  private List<ResourceReport> reports(Map<ResourceId, Inspection> found) {
    Map<String, ClientInfo> clients = clients(WHAT, namedIn(found.values().stream()));
    return found.entrySet().stream()
        .map(entry -> report(entry.getKey(), entry.getValue(), clients))
        .toList();
  }

  @Override
  public List<String> namespaces() {
    runtime.checkOpen(WHAT);
    return StoreCalls.ask(runtime, WHAT, () -> runtime.store().namespaces()).stream()
        .sorted()
        .toList();
  }

  @Override
  public List<CellReport> cells(ResourceQuery query) {
    if (query.isPart()) {
      throw new IllegalArgumentException("cells are not reported in parts");
    }
    Listing<CellId> listing = new Listing<>(listing(query).prefix(), null, query.limit());
    return find(listing, next -> runtime.store().cells(next), this::read).values().stream()
        .sorted(Comparator.comparing(CellReport::name).thenComparing(CellReport::kind))
        .toList();
  }

  /** Lists ids and asks about them, some at a time, until there are enough or no more. */
  private <I extends Named, T> Map<I, T> find(
      Listing<I> first,
      Function<Listing<I>, CompletionStage<Outcome<List<I>>>> list,
      Function<List<I>, Map<I, T>> ask) {
    int limit = first.limit();
    Map<I, T> found = new LinkedHashMap<>();
    Listing<I> listing = first;
    while (listing != null) {
      Listing<I> asked = listing;
      List<I> ids = StoreCalls.ask(runtime, WHAT, () -> list.apply(asked));
      for (int from = 0; from < ids.size() && found.size() < limit; from += WINDOW) {
        found.putAll(ask.apply(ids.subList(from, Math.min(from + WINDOW, ids.size()))));
      }
      boolean isAll = ids.size() < limit || found.size() >= limit;
      listing = isAll ? null : new Listing<>(first.prefix(), ids.get(ids.size() - 1), limit);
    }
    found.keySet().removeAll(found.keySet().stream().skip(limit).toList());
    return found;
  }

  private Map<CellId, CellReport> read(List<CellId> ids) {
    List<CellRead> reads = ids.stream().map(id -> new CellRead(id, false, 0)).toList();
    Map<CellId, CellReport> found = new LinkedHashMap<>();
    List<Outcome<CellState>> outcomes =
        StoreCalls.ask(
            runtime, WHAT, () -> runtime.store().read(reads).thenApply(Outcome::answered));
    for (int i = 0; i < ids.size(); i++) {
      if (outcomes.get(i) instanceof Outcome.Answered<CellState> answered) {
        if (answered.answer() instanceof CellState.Present cell) {
          found.put(ids.get(i), report(ids.get(i), cell.value()));
        }
      } else if (outcomes.get(i) instanceof Outcome.Unknown<CellState> && ids.size() > 1) {
        found.putAll(read(List.of(ids.get(i))));
      }
    }
    return found;
  }

  private static CellReport report(CellId id, CellValue value) {
    CellReport.Kind kind =
        switch (id.kind()) {
          case COUNTER -> CellReport.Kind.COUNTER;
          case LATCH -> CellReport.Kind.LATCH;
          default -> CellReport.Kind.SHARED_VALUE;
        };
    OptionalLong number =
        kind == CellReport.Kind.SHARED_VALUE ? OptionalLong.empty() : value.number();
    return new CellReport(kind, id.name(), number, value.size());
  }

  @Override
  public ResourceReport inspect(ResourceKind kind, String name) {
    ResourceId resource = new ResourceId(kind, Names.check("name", name));
    runtime.checkOpen(name);
    Inspection found = resources.inspect(resource);
    return report(resource, found, clients(name, namedIn(Stream.of(found))));
  }

  @Override
  public boolean forceRelease(HolderReport holder) {
    ResourceId resource = new ResourceId(holder.kind(), Names.check("name", holder.name()));
    runtime.checkOpen(holder.name());
    String client = holder.client().id();
    String owner = holder.resting() ? Inspection.Holder.resting(client) : client;
    ForceRequest request = new ForceRequest(resource, owner, holder.grant(), holder.token());
    boolean isHeld =
        resources.inspect(resource).holders().stream()
            .anyMatch(found -> request.isAbout(found.clientId(), found.grant(), found.token()));
    if (!isHeld) {
      return false;
    }
    boolean ended =
        StoreCalls.ended(
            runtime, holder.name(), () -> runtime.store().forceRelease(request), Forced::wasHeld);
    ResourceCoordinator coordinator = resources.existing(resource);
    if (coordinator != null && owner.equals(runtime.clientId())) {
      coordinator.revoked();
    }
    return ended;
  }

  @Override
  public Duration ping(Duration timeout) {
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(
          "timeout must be positive, was " + DurationText.of(timeout));
    }
    runtime.checkOpen("ping");
    long begin = runtime.now();
    Outcome<List<ClientInfo>> outcome =
        StoreCalls.once(
            runtime,
            Requests.nanos(timeout),
            () -> runtime.store().clients(List.of(runtime.clientId())));
    if (outcome instanceof Outcome.Refused<List<ClientInfo>> refused) {
      throw new StoreRefusedException(refused.problem(), refused.message());
    }
    if (outcome instanceof Outcome.Unknown<List<ClientInfo>> unknown) {
      throw runtime.policy().unavailable("the store does not answer", unknown.cause());
    }
    return Duration.ofNanos(runtime.now() - begin);
  }

  @Override
  public Optional<Quarantine> quarantine() {
    return runtime.store().quarantine();
  }

  @Override
  public long droppedEvents() {
    return runtime.events().dropped();
  }

  /** Returns who these clients are, as far as that is known. */
  Map<String, ClientInfo> clients(String what, Set<String> ids) {
    Map<String, ClientInfo> clients = new HashMap<>();
    if (!ids.isEmpty()) {
      List<String> list = List.copyOf(ids);
      StoreCalls.ask(runtime, what, () -> runtime.store().clients(list))
          .forEach(client -> clients.put(client.id(), client));
    }
    return clients;
  }

  /** Asks about several resources at once; leaves records out that nobody here has written. */
  private Map<ResourceId, Inspection> inspect(List<ResourceId> ids) {
    CompletableFuture<Outcome<List<Outcome<Inspection>>>> asked =
        runtime.store().inspect(ids).thenApply(Outcome::answered).toCompletableFuture();
    Outcome<List<Outcome<Inspection>>> all = StoreCalls.outcome(runtime, asked);
    Map<ResourceId, Inspection> answers = new LinkedHashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      ResourceId id = ids.get(i);
      Outcome<Inspection> one =
          all instanceof Outcome.Answered<List<Outcome<Inspection>>> each
              ? each.answer().get(i)
              : null;
      if (one instanceof Outcome.Answered<Inspection> answered) {
        answers.put(id, answered.answer());
      } else if (!isForeign(one)) {
        answers.put(id, StoreCalls.ask(runtime, WHAT, () -> runtime.store().inspect(id)));
      }
    }
    answers.values().removeIf(Inspection::isIdle);
    return answers;
  }

  private static boolean isForeign(@Nullable Outcome<Inspection> outcome) {
    return outcome instanceof Outcome.Refused<Inspection> refused
        && refused.problem() == StoreProblem.FOREIGN_RECORD;
  }

  private static Set<String> namedIn(Stream<Inspection> inspections) {
    return inspections
        .flatMap(
            found ->
                Stream.concat(
                    found.holders().stream().map(Inspection.Holder::lastClientId),
                    found.waiters().stream().map(Inspection.Waiter::clientId)))
        .collect(Collectors.toSet());
  }

  private ResourceReport report(
      ResourceId resource, Inspection found, Map<String, ClientInfo> clients) {
    ResourceCoordinator coordinator = resources.existing(resource);
    ResourceCoordinator.Present here =
        coordinator == null
            ? new ResourceCoordinator.Present(List.of(), List.of())
            : coordinator.present();
    List<HolderReport> holders =
        found.holders().stream()
            .map(holder -> holder(resource, holder, threadOf(holder, here), clients))
            .toList();
    List<WaiterReport> waiters = waiters(found, here, clients);
    return new ResourceReport(
        resource.kind(),
        resource.name(),
        permits(found.limit().orElse(Share.ALL)),
        holders,
        waiters);
  }

  /**
   * Returns the thread that holds: of this client the one that does now, also after a hand-off; of
   * another the one whose request brought the grant, if the grant is for that alone.
   */
  private @Nullable String threadOf(Inspection.Holder holder, ResourceCoordinator.Present here) {
    if (!holder.clientId().equals(runtime.clientId())) {
      return thread(holder.label());
    }
    return here.holds().stream()
        .filter(hold -> hold.grant().number() == holder.grant())
        .findFirst()
        .map(hold -> thread(Names.label(hold.acquirer())))
        .orElse(null);
  }

  /**
   * Returns who waits: all of this client, each by itself, and what the store has of the others.
   * Those of this client that share a claim stand where that is, and first if there is none: then
   * this client has the lock and hands it off.
   */
  private List<WaiterReport> waiters(
      Inspection found, ResourceCoordinator.Present here, Map<String, ClientInfo> clients) {
    List<Waiter> sharing = here.waiters().stream().filter(Waiter::isShared).toList();
    boolean isClaimed =
        found.waiters().stream()
            .anyMatch(waiter -> isOwn(waiter) && !here.hasOwnClaim(waiter.claim()));
    List<WaiterReport> waiters = new ArrayList<>();
    if (!isClaimed) {
      addSharing(waiters, sharing, clients);
    }
    for (Inspection.Waiter waiter : found.waiters()) {
      if (isOwn(waiter) && !sharing.isEmpty() && !here.hasOwnClaim(waiter.claim())) {
        addSharing(waiters, sharing, clients);
      } else {
        waiters.add(
            new WaiterReport(
                client(waiter.clientId(), clients),
                thread(waiter.label()),
                waiters.size() + 1,
                permits(waiter.permits()),
                micros(waiter.waitedMicros())));
      }
    }
    return waiters;
  }

  private boolean isOwn(Inspection.Waiter waiter) {
    return waiter.clientId().equals(runtime.clientId());
  }

  private void addSharing(
      List<WaiterReport> waiters, List<Waiter> sharing, Map<String, ClientInfo> clients) {
    for (Waiter waiter : sharing) {
      long waitedNanos = Math.max(0, runtime.now() - waiter.startNanos());
      waiters.add(
          new WaiterReport(
              client(runtime.clientId(), clients),
              thread(Names.label(waiter.thread())),
              waiters.size() + 1,
              permits(waiter.share().permits()),
              Duration.ofNanos(waitedNanos)));
    }
  }

  private static HolderReport holder(
      ResourceId resource,
      Inspection.Holder holder,
      @Nullable String thread,
      Map<String, ClientInfo> clients) {
    return new HolderReport(
        resource.kind(),
        resource.name(),
        holder.grant(),
        client(holder.lastClientId(), clients),
        thread,
        holder.token(),
        permits(holder.permits()),
        micros(holder.heldMicros()),
        micros(holder.leaseMicros()),
        holder.isResting());
  }

  private static ClientInfo client(String id, Map<String, ClientInfo> clients) {
    if (id.equals(Inspection.Holder.FORGOTTEN)) {
      return new ClientInfo(id, "unknown holder: the server restarted", null, null);
    }
    return Objects.requireNonNullElseGet(clients.get(id), () -> ClientInfo.unknown(id));
  }

  private static @Nullable String thread(String label) {
    return label.isEmpty() ? null : label;
  }

  /** Returns a number of permits, or empty for all. */
  private static OptionalInt permits(int permits) {
    return permits == Share.ALL ? OptionalInt.empty() : OptionalInt.of(permits);
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(Math.multiplyExact(micros, 1_000));
  }
}
