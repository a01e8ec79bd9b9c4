package io.lockkeeper.testkit.sim;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLease;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run with multi-locks: the callers of many clients take some of the locks of one or two
 * servers together, named in any order. No two valid leases have a lock in common, tokens grow,
 * nobody waits for ever, a caller that has lost one lock has lost all of them and learns of it, and
 * in the end nobody holds anything.
 */
public final class MultiLockSimulation extends SimRun {

  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int LONGEST_FIXED_MILLIS = 2_000;

  /** A lock: a server and a name. */
  private record Place(int node, String name) {}

  /**
   * The lease that a caller got.
   *
   * @param tokens the token of each lock, as it was at first
   */
  private record Taken(Map<Place, Long> tokens) {}

  private final SimLedger<Taken> ledger;
  private final List<SimNode> nodes = new ArrayList<>();
  private final List<Caller> callers = new ArrayList<>();

  /** The largest token that a caller has seen of each lock. */
  private final Map<Place, Long> seen = new HashMap<>();

  /** The largest token that a server has given out of each lock. */
  private final Map<Place, Long> given = new HashMap<>();

  /** Up to which token of each lock leases are excused, because it was forced. */
  private final Map<Place, Long> excused = new HashMap<>();

  private MultiLockSimulation(
      long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.ledger = new SimLedger<>(world);
    int count = random.nextInt(1, 3);
    for (int i = 0; i < count; i++) {
      int index = i;
      SimNode node = node("server" + i, servers);
      node.server()
          .onGrant(
              grant -> given.put(new Place(index, grant.resource().name()), grant.lastToken()));
      nodes.add(node);
    }
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param servers makes a store that takes its time from the given source
   * @return how many steps it took
   */
  public static long run(long seed, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    MultiLockSimulation simulation = new MultiLockSimulation(seed, servers, coverage);
    simulation.play();
    return simulation.world.steps();
  }

  @Override
  void begin() {
    for (int i = 0; i < plan.clients(); i++) {
      SimClient client = client("client" + i);
      List<Lockkeeper> keepers = nodes.stream().map(client::connect).toList();
      for (int j = 0; j < plan.actors(); j++) {
        Caller caller = new Caller(client, keepers);
        callers.add(caller);
        caller.next();
      }
      if (i < plan.crashes()) {
        world.at(earlyNanos(), null, client::crash);
      }
    }
    List<Store> operators = nodes.stream().map(node -> node.operator(this, random)).toList();
    for (int i = 0; i < plan.forced(); i++) {
      world.at(earlyNanos(), null, () -> force(operators));
    }
  }

  private void force(List<Store> operators) {
    Place place = new Place(random.nextInt(nodes.size()), NAMES.get(random.nextInt(NAMES.size())));
    world.trace(() -> "force " + place);
    excused.put(place, given.getOrDefault(place, 0L));
    long longestNanos = Math.max(plan.leaseMillis(), LONGEST_FIXED_MILLIS) * NANOS_PER_MILLI;
    for (SimLedger.Entry<Taken> entry : ledger.valid()) {
      if (entry.what.tokens.containsKey(place)) {
        entry.endsBy(world.nowNanos() + 2 * longestNanos);
      }
    }
    ForceRequest everybody = new ForceRequest(ResourceId.lock(place.name), Long.MAX_VALUE);
    operators.get(place.node).forceRelease(everybody).toCompletableFuture().join();
  }

  @Override
  void check() {
    Map<Place, Taken> holders = new HashMap<>();
    for (SimLedger.Entry<Taken> entry : ledger.valid()) {
      entry.what.tokens.forEach(
          (place, token) -> {
            if (token > excused.getOrDefault(place, 0L)) {
              Taken other = holders.put(place, entry.what);
              if (other != null) {
                throw new SimViolation(place + " is held twice: " + other + ", " + entry.what);
              }
            }
          });
    }
  }

  @Override
  boolean isDone() {
    return callers.stream().allMatch(Caller::isDone);
  }

  @Override
  long stuckAfterNanos() {
    return fourLeasesAfter(ledger.progressNanos());
  }

  @Override
  void atRest() {
    nodes.forEach(this::restOut);
  }

  /** Takes some locks, holds them for a while, and again. */
  private final class Caller extends SimCaller<Taken> {

    private final List<Lockkeeper> keepers;

    Caller(SimClient client, List<Lockkeeper> keepers) {
      super(MultiLockSimulation.this, client, ledger);
      this.keepers = keepers;
    }

    @Override
    void ask() {
      List<Place> places = choose();
      List<DistributedLock> locks = places.stream().map(this::lock).toList();
      SimAsking.ask(process, own, Lockkeeper.multiLock(locks)::acquireAsync, options())
          .accept(lease -> settled(places, lease));
    }

    /** Returns one to three places, in any order. */
    private List<Place> choose() {
      List<Place> all = new ArrayList<>();
      for (int node = 0; node < nodes.size(); node++) {
        for (String name : NAMES) {
          all.add(new Place(node, name));
        }
      }
      int count = own.nextInt(1, 4);
      List<Place> chosen = new ArrayList<>();
      while (chosen.size() < count) {
        chosen.add(all.remove(own.nextInt(all.size())));
      }
      return chosen;
    }

    private DistributedLock lock(Place place) {
      Lockkeeper keeper = keepers.get(place.node);
      return own.nextBoolean() ? keeper.lock(place.name) : keeper.fairLock(place.name);
    }

    private AcquireOptions options() {
      return SimAsking.options(own, 2 * plan.leaseMillis(), LONGEST_FIXED_MILLIS);
    }

    private void settled(List<Place> places, @Nullable MultiLease lease) {
      if (lease == null) {
        holdsNothing();
        return;
      }
      Map<Place, Long> tokens = new HashMap<>();
      for (int i = 0; i < places.size(); i++) {
        tokens.put(places.get(i), lease.tokens().get(i));
      }
      if (lease.isValid()) {
        tokens.forEach(MultiLockSimulation.this::see);
      }
      holds(new Taken(tokens), lease::isValid, lease::onLost, lease::release);
    }
  }

  private void see(Place place, long token) {
    Long before = seen.put(place, token);
    if (before != null && before >= token && token > excused.getOrDefault(place, 0L)) {
      throw new SimViolation("token " + token + " of " + place + " after " + before);
    }
    seen.merge(place, before == null ? token : before, Math::max);
  }
}
