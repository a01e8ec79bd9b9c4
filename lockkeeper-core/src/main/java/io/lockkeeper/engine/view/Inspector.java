package io.lockkeeper.engine.view;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.ResourceReport.Kind;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.WaiterReport;
import io.lockkeeper.compose.Election;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reports what is held and waited for at the store, by all clients, for people. */
final class Inspector {

  /** How many resources are asked about at once. */
  private static final int WINDOW = 64;

  private static final String WHAT = "inspection";

  private final ResourceCoordinators resources;
  private final ClientRuntime runtime;

  Inspector(ResourceCoordinators resources) {
    this.resources = resources;
    this.runtime = resources.runtime();
  }

  List<ResourceReport> all() {
    runtime.checkOpen(WHAT);
    resources.all().forEach(ResourceCoordinator::awaitSent);
    List<String> ids = StoreCalls.ask(runtime, WHAT, () -> runtime.store().resources());
    Map<String, Inspection> found = new TreeMap<>();
    for (int from = 0; from < ids.size(); from += WINDOW) {
      found.putAll(inspect(ids.subList(from, Math.min(from + WINDOW, ids.size()))));
    }
    found.values().removeIf(Inspection::isIdle);
    Map<String, ClientInfo> clients = clients(WHAT, namedIn(found.values().stream()));
    return found.entrySet().stream()
        .map(entry -> report(entry.getKey(), entry.getValue(), clients))
        .sorted(Comparator.comparing(ResourceReport::name).thenComparing(ResourceReport::kind))
        .toList();
  }

  ResourceReport one(Kind kind, String name) {
    String resource = resource(kind, Names.check("name", name));
    runtime.checkOpen(name);
    Inspection found = resources.inspect(name, resource);
    return report(resource, found, clients(name, namedIn(Stream.of(found))));
  }

  boolean forceRelease(HolderReport holder) {
    String resource = resource(holder.kind(), Names.check("name", holder.name()));
    runtime.checkOpen(holder.name());
    String owner = holder.client().id();
    ForceRequest request = new ForceRequest(resource, owner, holder.grant(), holder.token());
    boolean isHeld =
        resources.inspect(holder.name(), resource).holders().stream()
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
  private Map<String, Inspection> inspect(List<String> ids) {
    List<CompletableFuture<Outcome<Inspection>>> questions =
        ids.stream().map(id -> runtime.store().inspect(id).toCompletableFuture()).toList();
    Map<String, Inspection> answers = new HashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      String id = ids.get(i);
      Outcome<Inspection> outcome = StoreCalls.outcome(runtime, questions.get(i));
      if (outcome instanceof Outcome.Answered<Inspection> answered) {
        answers.put(id, answered.answer());
      } else if (!isForeign(outcome)) {
        answers.put(id, StoreCalls.ask(runtime, WHAT, () -> runtime.store().inspect(id)));
      }
    }
    return answers;
  }

  private static boolean isForeign(Outcome<Inspection> outcome) {
    return outcome instanceof Outcome.Refused<Inspection> refused
        && refused.problem() == StoreProblem.FOREIGN_RECORD;
  }

  private static Set<String> namedIn(Stream<Inspection> inspections) {
    return inspections
        .flatMap(
            found ->
                Stream.concat(
                    found.holders().stream().map(Inspection.Holder::clientId),
                    found.waiters().stream().map(Inspection.Waiter::clientId)))
        .collect(Collectors.toSet());
  }

  private static ResourceReport report(
      String resource, Inspection found, Map<String, ClientInfo> clients) {
    Kind kind = kind(resource);
    String name = nameOf(resource);
    List<HolderReport> holders =
        found.holders().stream().map(holder -> holder(kind, name, holder, clients)).toList();
    List<WaiterReport> waiters = new ArrayList<>();
    for (Inspection.Waiter waiter : found.waiters()) {
      waiters.add(
          new WaiterReport(
              client(waiter.clientId(), clients),
              waiter.label(),
              waiters.size() + 1,
              waiter.permits(),
              micros(waiter.waitedMicros())));
    }
    return new ResourceReport(kind, name, found.limit(), holders, waiters);
  }

  private static HolderReport holder(
      Kind kind, String name, Inspection.Holder holder, Map<String, ClientInfo> clients) {
    return new HolderReport(
        kind,
        name,
        holder.grant(),
        client(holder.clientId(), clients),
        holder.label(),
        holder.token(),
        holder.permits(),
        micros(holder.heldMicros()),
        micros(holder.leaseMicros()));
  }

  private static ClientInfo client(String id, Map<String, ClientInfo> clients) {
    return Objects.requireNonNullElseGet(clients.get(id), () -> ClientInfo.unknown(id));
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(Math.multiplyExact(micros, 1_000));
  }

  private static String resource(Kind kind, String name) {
    return switch (kind) {
      case LOCK -> name;
      case READ_WRITE_LOCK -> ResourceKind.READ_WRITE.id(name);
      case SEMAPHORE -> ResourceKind.SEMAPHORE.id(name);
      case BARRIER -> ResourceKind.BARRIER.id(name);
      case LEADER_ELECTION -> Election.resource(name);
    };
  }

  private static Kind kind(String resource) {
    return switch (ResourceKind.of(resource)) {
      case LOCK -> Election.nameOf(resource) == null ? Kind.LOCK : Kind.LEADER_ELECTION;
      case READ_WRITE -> Kind.READ_WRITE_LOCK;
      case SEMAPHORE -> Kind.SEMAPHORE;
      case BARRIER -> Kind.BARRIER;
    };
  }

  private static String nameOf(String resource) {
    @Nullable String election = Election.nameOf(resource);
    return election == null ? ResourceKind.nameOf(resource) : election;
  }
}
