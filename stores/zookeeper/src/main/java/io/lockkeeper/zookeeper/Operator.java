package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.StoredId;
import io.lockkeeper.zookeeper.CasLoop.Want;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.zookeeper.data.Stat;

/** Answers and does what somebody asks who is neither holder nor waiter. */
final class Operator {

  private final Connection connection;
  private final Paths paths;
  private final CasLoop steps;
  private final ClientNodes directory;

  /** Which changes of limits have been made, also where no record remembers it any more. */
  private final Withdrawn made = new Withdrawn();

  Operator(Connection connection, Paths paths, CasLoop steps, ClientNodes directory) {
    this.connection = connection;
    this.paths = paths;
    this.steps = steps;
    this.directory = directory;
  }

  CompletableFuture<Forced> forceRelease(ForceRequest request) {
    ResourceId id = request.resource();
    return steps.run(
        id,
        Want.ALL,
        draft -> {
          long now = steps.now();
          boolean freed = steps.ends().drop(draft, now);
          boolean wasHeld =
              draft.drop(
                  entry ->
                      request.isAbout(entry.node().client(), entry.grant(), entry.firstToken()));
          if (freed || wasHeld) {
            draft.admit();
          }
          return done -> new Forced(wasHeld);
        });
  }

  CompletableFuture<Resized> resize(ResizeRequest request) {
    ResourceId id = request.resource();
    if (made.has(id, request.number(), steps.now())) {
      return inspect(id).thenApply(found -> new Resized(true, found.limit()));
    }
    return steps
        .run(id, Want.SETTLED, draft -> decide(draft, request))
        .thenApply(
            resized -> {
              if (resized.changed()) {
                made.add(id, request.number(), steps.now());
              }
              return resized;
            });
  }

  private Function<CasLoop.Done, Resized> decide(ResourceTransaction draft, ResizeRequest request) {
    long now = steps.now();
    steps.ends().drop(draft, now);
    draft.admit();
    Resized resized = draft.resize(request);
    if (draft.base.exists() || draft.limit().isResized()) {
      draft.admit();
    }
    draft.tidy();
    int limit = draft.limit().permits();
    return done -> new Resized(resized.changed(), limit);
  }

  /** Lists resources, also those that nobody uses any more and ZooKeeper has not yet removed. */
  CompletableFuture<List<ResourceId>> resources() {
    return list(StoredId.WORDS, paths::folder, (word, name) -> new StoredId(word, name).id());
  }

  /** Lists cells, also those that have ended and are not yet removed. */
  CompletableFuture<List<CellId>> cells() {
    List<CellKind> kinds =
        Arrays.stream(CellKind.values()).filter(kind -> kind != CellKind.NOTES).toList();
    return list(kinds, paths::folder, CellId::new);
  }

  /** Lists the folders beside that of this namespace. */
  CompletableFuture<List<String>> namespaces() {
    return connection
        .children(paths.root())
        .thenApply(folders -> folders.names().stream().map(Paths::decode).toList());
  }

  private <K, I> CompletableFuture<List<I>> list(
      List<K> kinds, Function<K, String> folder, BiFunction<K, String, I> id) {
    List<I> ids = new ArrayList<>();
    CompletableFuture<List<I>> all = CompletableFuture.completedFuture(ids);
    for (K kind : kinds) {
      CompletableFuture<List<String>> names =
          connection
              .children(folder.apply(kind))
              .thenApply(Connection.Children::names)
              .exceptionallyCompose(
                  failure ->
                      ZkFailures.isMissing(failure)
                          ? CompletableFuture.completedFuture(List.<String>of())
                          : CompletableFuture.failedFuture(failure));
      all =
          all.thenCombine(
              names,
              (known, more) -> {
                more.forEach(name -> known.add(id.apply(kind, Paths.decode(name))));
                return known;
              });
    }
    return all;
  }

  CompletableFuture<Inspection> inspect(ResourceId id) {
    return steps
        .run(id, Want.ALL, draft -> done -> draft.base)
        .thenCompose(base -> base.exists() ? inspect(id, base) : unknown(id));
  }

  private static CompletableFuture<Inspection> unknown(ResourceId id) {
    return CompletableFuture.completedFuture(Inspection.unknown(id.kind()));
  }

  private CompletableFuture<Inspection> inspect(ResourceId id, Snapshot base) {
    String path = paths.resource(id);
    List<NodeName> queue = base.queue() == null ? List.of() : base.queue();
    CompletableFuture<List<Inspection.Waiter>> waiters =
        CompletableFuture.completedFuture(new ArrayList<>());
    for (NodeName node : queue) {
      CompletableFuture<Stat> stat =
          connection
              .exists(path + "/" + node.text(), null)
              .exceptionallyCompose(
                  failure ->
                      ZkFailures.isMissing(failure)
                          ? CompletableFuture.completedFuture(new Stat())
                          : CompletableFuture.failedFuture(failure));
      waiters =
          waiters.thenCombine(
              stat,
              (list, found) -> {
                list.add(waiter(node, found));
                return list;
              });
    }
    return waiters.thenApply(list -> inspection(id, base, list));
  }

  private static Inspection.Waiter waiter(NodeName node, Stat stat) {
    return new Inspection.Waiter(
        node.client(), node.claim(), node.permits(), sinceMicros(stat.getCtime()), node.label());
  }

  private Inspection inspection(ResourceId id, Snapshot base, List<Inspection.Waiter> waiters) {
    long now = steps.now();
    base.doc().grants().forEach(entry -> directory.meet(lastClient(entry), entry.card()));
    List<Inspection.Holder> holders =
        base.doc().grants().stream()
            .filter(entry -> !steps.ends().isOver(id, base, entry, now))
            .sorted(Comparator.comparingLong(Entry::firstToken))
            .map(entry -> holder(id, entry, now))
            .toList();
    if (id.isExclusive()) {
      return new Inspection(holders.isEmpty() ? null : holders.get(0), waiters);
    }
    boolean inUse = base.doc().resized() || !holders.isEmpty() || !waiters.isEmpty();
    long out = holders.stream().mapToLong(Inspection.Holder::permits).sum();
    return new Inspection(holders, waiters, inUse ? base.doc().limit() : Inspection.UNSET, out);
  }

  private static String lastClient(Entry entry) {
    return Inspection.Holder.lastClientId(entry.node().client());
  }

  private Inspection.Holder holder(ResourceId id, Entry entry, long now) {
    return new Inspection.Holder(
        entry.node().client(),
        entry.grant(),
        entry.firstToken(),
        entry.permits(),
        Math.max(1, (steps.ends().endNanos(id, entry, now) - now) / 1_000),
        sinceMicros(entry.sinceMillis()),
        entry.label());
  }

  /** Returns how long ago something was, by wall clocks: for people. */
  private static long sinceMicros(long thenMillis) {
    return Math.max(0, WallClock.millis() - thenMillis) * 1_000;
  }
}
