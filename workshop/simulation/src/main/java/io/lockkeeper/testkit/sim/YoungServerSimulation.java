package io.lockkeeper.testkit.sim;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.support.DelegatingStore;
import io.lockkeeper.spi.support.ForwardingListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run with one lock, in which the server dies and comes back without its memory, by the rules
 * of the Redis store: clients from before connect again, late if they are cut off or stopped, and
 * report as soon as they do; new clients come; and until the server is sure, it has an unknown
 * holder. No two leases are valid at once, except where the rule gives that up.
 *
 * <p>This file is long because the rule, the server with its gates and the clients are one model.
 */
public final class YoungServerSimulation extends SimRun {

  /** The choices of a server that has lost its memory. */
  public enum Rule {
    /** Waits for a report, and if there is one for the longest lease. */
    ASK,
    /** Waits for the longest lease since its loss. */
    WAIT,
    /** Does not wait. */
    GRANT
  }

  private static final ResourceId LOCK = ResourceId.lock("a");
  private static final long WINDOW_NANOS = 2_000 * NANOS_PER_MILLI;
  private static final long LONGEST_PAUSE_TO_CONNECT_NANOS = 500 * NANOS_PER_MILLI;
  private static final int LAST_LOSS_MILLIS = 3_000;

  private final Rule rule;
  private final SimNode node;
  private final SimServer memory;
  private final SimLedger<Lease> ledger = new SimLedger<>(world);
  private final List<Actor> actors = new ArrayList<>();
  private final Map<String, Gate> gates = new HashMap<>();
  private final Store unknown;
  private long lossNanos = Long.MAX_VALUE;
  private long upNanos = Long.MAX_VALUE;
  private long endNanos = Long.MAX_VALUE;

  /** True if the server has a mark since its loss. */
  private boolean isMarked;

  /** True if a client from before has reported in time. */
  private boolean isReported;

  /** True if the unknown holder has the lock, as far as is known. */
  private boolean isHeld;

  private long overlaps;

  private YoungServerSimulation(
      long seed, Rule rule, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    super(seed, coverage);
    this.rule = rule;
    SimServer[] made = new SimServer[1];
    this.node =
        node(
            "server",
            time -> {
              made[0] = servers.apply(time);
              return new Young(made[0]);
            });
    this.memory = made[0];
    this.unknown = memory.factory().open(context("unknown"));
    unknown.listen(NotificationListener.silent());
  }

  /**
   * Runs one simulation; throws a {@link SimViolation} with the seed if a promise is broken.
   *
   * @param rule what the server does when its memory is lost
   * @param servers makes a store that takes its time from the given source
   * @return at how many steps two leases were valid, as the rule allows it
   */
  public static long run(
      long seed, Rule rule, Function<TimeSource, SimServer> servers, SimCoverage coverage) {
    YoungServerSimulation simulation = new YoungServerSimulation(seed, rule, servers, coverage);
    simulation.play();
    return simulation.overlaps;
  }

  private StoreContext context(String id) {
    return new StoreContext(
        id, id, "lockkeeper", Timings.DEFAULT, environment(new SimProcess(world, id, 1), random));
  }

  private long leaseNanos() {
    return plan.leaseMillis() * NANOS_PER_MILLI;
  }

  // ------------------------------------------------------------- what happens

  @Override
  void begin() {
    List<SimClient> old = new ArrayList<>();
    for (int i = 0; i < plan.clients(); i++) {
      old.add(enter("old" + i));
    }
    long loss = random.nextInt(1, LAST_LOSS_MILLIS) * NANOS_PER_MILLI;
    upNanos = loss + random.nextInt(1, LAST_LOSS_MILLIS) * NANOS_PER_MILLI;
    endNanos = upNanos + WINDOW_NANOS + 3 * leaseNanos();
    world.at(loss, null, () -> lose(old));
    for (int i = 0; i < random.nextInt(1, 3); i++) {
      String name = "new" + i;
      world.at(upNanos + random.nextLong(WINDOW_NANOS), null, () -> enter(name));
    }
  }

  private SimClient enter(String name) {
    SimClient client = client(name);
    Lockkeeper keeper = client.connect(node);
    Objects.requireNonNull(gates.get(keeper.clientId())).process = client.process();
    for (int i = 0; i < plan.actors(); i++) {
      Actor actor = new Actor(client, keeper);
      actors.add(actor);
      actor.pause();
    }
    return client;
  }

  /** The server dies and comes back, and so do connections, each at its time. */
  private void lose(List<SimClient> old) {
    world.trace(() -> "the server loses its memory");
    lossNanos = world.nowNanos();
    memory.flush();
    List<Gate> all = List.copyOf(gates.values());
    all.forEach(gate -> gate.isOpen = false);
    for (SimClient client : old) {
      if (random.nextInt(4) == 0) {
        client.process().pause(random.nextLong(2 * leaseNanos()));
      }
      if (random.nextInt(4) == 0) {
        world.at(lossNanos + random.nextLong(upNanos - lossNanos), null, client::crash);
      }
    }
    for (Gate gate : all) {
      long cutOff = random.nextInt(3) == 0 ? random.nextLong(3 * leaseNanos()) : 0;
      long at = upNanos + cutOff + random.nextLong(LONGEST_PAUSE_TO_CONNECT_NANOS);
      world.at(at, gate.process, gate::connectAgain);
    }
  }

  // ------------------------------------------------------------- the rule

  /** A client reaches the server. */
  private void reach(Gate gate) {
    if (lossNanos == Long.MAX_VALUE) {
      return;
    }
    long now = world.nowNanos();
    boolean reports = gate.isFromBefore && !gate.hasReported;
    gate.hasReported = true;
    if (rule == Rule.GRANT) {
      return;
    }
    boolean isFirst = !isMarked;
    isMarked = true;
    if (rule == Rule.WAIT) {
      if (isFirst) {
        hold(lossNanos + leaseNanos());
      }
    } else if (reports) {
      isReported |= hold(now + leaseNanos());
    } else if (isFirst) {
      hold(Math.max(upNanos + WINDOW_NANOS, now + WINDOW_NANOS / 2));
    }
  }

  /**
   * Makes an unknown client hold the lock until then; returns whether it does: not if another was
   * admitted before.
   */
  private boolean hold(long untilNanos) {
    long millis = Math.max(1, (untilNanos - world.nowNanos()) / NANOS_PER_MILLI + 1);
    if (isHeld) {
      RenewRequest renewal = new RenewRequest(LOCK, 1, millis);
      isHeld =
          answer(unknown.renew(List.of(renewal))).get(0)
                  instanceof Outcome.Answered<RenewAnswer> answered
              && answered.answer().renewed();
    } else {
      ClaimRequest claim = new ClaimRequest(LOCK, 1, millis, 1, false, Share.EXCLUSIVE);
      isHeld =
          answer(unknown.claim(claim)) instanceof Outcome.Answered<ClaimAnswer> answered
              && answered.answer() instanceof ClaimAnswer.Granted;
    }
    world.trace(() -> "nothing is granted for " + millis + " ms: " + isHeld);
    return isHeld;
  }

  private static <T> T answer(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** The server: its memory, behind a gate for each client. */
  private final class Young implements SimServer {

    private final SimServer inner;

    Young(SimServer inner) {
      this.inner = inner;
    }

    @Override
    public StoreFactory factory() {
      return context -> {
        Gate gate = new Gate(inner.factory().open(context));
        gates.put(context.clientId(), gate);
        reach(gate);
        return gate;
      };
    }

    @Override
    public void flush() {
      inner.flush();
    }

    @Override
    public void reconnect() {
      inner.reconnect();
    }

    @Override
    public void crash(String clientId) {
      inner.crash(clientId);
    }

    @Override
    public boolean isQuiet() {
      return inner.isQuiet();
    }

    @Override
    public void onGrant(Consumer<SimGrant> watch) {
      inner.onGrant(watch);
    }
  }

  /** The way of one client to the server: closed from the loss until it has connected again. */
  private final class Gate extends DelegatingStore {

    private final boolean isFromBefore = lossNanos == Long.MAX_VALUE;
    private @Nullable SimProcess process;
    private NotificationListener listener = NotificationListener.silent();
    private boolean isOpen = true;
    private boolean hasReported;

    Gate(Store store) {
      super(store);
    }

    void connectAgain() {
      isOpen = true;
      reach(this);
      listener.reconnected();
    }

    @Override
    protected <T> CompletionStage<Outcome<T>> one(
        String method, Object about, Function<Store, CompletionStage<Outcome<T>>> request) {
      return pass(request, Gate::lost);
    }

    @Override
    protected <T> CompletionStage<List<Outcome<T>>> each(
        String method, List<?> batch, Function<Store, CompletionStage<List<Outcome<T>>>> request) {
      return pass(request, () -> batch.stream().map(each -> Gate.<T>lost()).toList());
    }

    private <T> CompletionStage<T> pass(
        Function<Store, CompletionStage<T>> request, Supplier<T> otherwise) {
      if (!isOpen) {
        return CompletableFuture.completedFuture(otherwise.get());
      }
      reach(this);
      return request.apply(store);
    }

    private static <T> Outcome<T> lost() {
      return Outcome.unknown(new IOException("simulated: no connection"));
    }

    @Override
    public void listen(NotificationListener notifications) {
      listener = notifications;
      store.listen(
          new ForwardingListener() {
            @Override
            protected void forward(Consumer<NotificationListener> notification) {
              if (isOpen) {
                notification.accept(notifications);
              }
            }

            @Override
            public void reconnected() {
              // when it is
            }
          });
    }
  }

  // ------------------------------------------------------------- who takes part

  /** Holds the lock again and again until the end. */
  private final class Actor {

    private final SimProcess process;
    private final Lockkeeper keeper;
    private final SplittableRandom own;
    private boolean isBusy;

    Actor(SimClient client, Lockkeeper keeper) {
      this.process = client.process();
      this.keeper = keeper;
      this.own = client.random().split();
    }

    void pause() {
      process.later(this::ask, 1 + own.nextLong(100 * NANOS_PER_MILLI));
    }

    private void ask() {
      isBusy = world.nowNanos() < endNanos;
      if (!isBusy) {
        return;
      }
      var unused =
          keeper
              .lock(LOCK.name())
              .acquireAsync()
              .whenComplete(
                  (lease, failure) ->
                      process.execute(() -> settled(failure == null ? lease : null)));
    }

    private void settled(@Nullable Lease lease) {
      if (lease == null) {
        pause();
        return;
      }
      SimLedger.Entry<Lease> entry = ledger.add(lease, process, lease::isValid);
      process.later(
          () -> {
            entry.tell();
            ledger.remove(entry);
            SimAsking.release(lease.isValid(), lease::release, lease);
            pause();
          },
          own.nextInt(3) == 0
              ? own.nextLong(2 * leaseNanos())
              : own.nextLong(20 * NANOS_PER_MILLI));
      var unused = lease.lost().thenRun(entry::tell);
    }
  }

  // ------------------------------------------------------------- what must hold

  @Override
  void check() {
    List<SimLedger.Entry<Lease>> valid = ledger.valid();
    if (valid.size() < 2) {
      return;
    }
    if (rule == Rule.GRANT || (rule == Rule.ASK && !isReported)) {
      overlaps++;
    } else {
      throw new SimViolation(
          "two leases are valid: " + valid.get(0).what + ", " + valid.get(1).what);
    }
  }

  @Override
  boolean isDone() {
    return world.nowNanos() > endNanos
        && actors.stream().allMatch(actor -> actor.process.isCrashed() || !actor.isBusy);
  }

  @Override
  long stuckAfterNanos() {
    return Math.max(fourLeasesAfter(ledger.progressNanos()), endNanos + PATIENCE_NANOS);
  }

  @Override
  void atRest() {
    restOut(node);
  }
}
