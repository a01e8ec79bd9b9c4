package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Random operations of several clients, done at two stores, which must answer the same in
 * everything but times and token values.
 */
public final class SameAnswers {

  private static final int CLIENTS = 4;
  private static final int STEPS = 120;

  /** Nothing dies of age: the clocks of the two differ. */
  private static final Timings TIMINGS = new Timings(600_000, 600_000, 600_000);

  /** Of how many changes of the limit each schedule chooses. */
  private static final int MOST_CHANGES = 8;

  private SameAnswers() {}

  /**
   * Compares two stores. Prints the seed, which the system property {@code lockkeeper.test.seed}
   * sets.
   *
   * @param namespace of the clients of both
   * @param schedules how many sequences of operations on each kind of resource
   */
  public static void compare(
      StoreFactory tested, StoreFactory reference, String namespace, int schedules) {
    long firstSeed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("seed " + firstSeed);
    List<StoreProbe> atTested = open(tested, namespace);
    List<StoreProbe> atReference = open(reference, namespace);
    try {
      int done = 0;
      for (int i = 0; i < schedules; i++) {
        for (ResourceKind kind : ResourceKind.values()) {
          new Schedule(firstSeed + i, kind, 1_000L * done++, atTested, atReference).run();
        }
      }
    } finally {
      atTested.forEach(StoreProbe::close);
      atReference.forEach(StoreProbe::close);
    }
  }

  private static List<StoreProbe> open(StoreFactory factory, String namespace) {
    List<StoreProbe> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new StoreProbe(factory, namespace, TIMINGS));
    }
    return clients;
  }

  /** One sequence of operations on one resource. */
  private static final class Schedule {

    private final long seed;
    private final ResourceKind kind;
    private final String resource;
    private final Random random;
    private final List<StoreProbe> tested;
    private final List<StoreProbe> reference;
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<Long, ClaimRequest> requests = new HashMap<>();
    private final List<String> log = new ArrayList<>();
    private final long firstClaim;
    private final long firstChange;
    private long claims;

    Schedule(
        long seed,
        ResourceKind kind,
        long firstClaim,
        List<StoreProbe> tested,
        List<StoreProbe> reference) {
      this.seed = seed;
      this.firstClaim = firstClaim;
      this.firstChange = (1L << 40) + firstClaim;
      this.claims = firstClaim;
      this.kind = kind;
      this.resource = kind.id("r" + seed);
      this.random = new Random(seed);
      this.tested = tested;
      this.reference = reference;
      for (int i = 0; i < CLIENTS; i++) {
        ids.put(tested.get(i).id, i);
        ids.put(reference.get(i).id, i);
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      for (int client = 0; client < CLIENTS; client++) {
        for (long claim = firstClaim + 1; claim <= claims; claim++) {
          both(client, new Withdrawal(claim));
        }
      }
      if (kind == ResourceKind.SEMAPHORE) {
        both(0, new Resize(firstChange + MOST_CHANGES, ResizeRequest.Kind.GIVE_UP, 0));
      }
      compare(
          Inspect.DO,
          Inspect.DO.on(reference.get(0).store, this),
          Inspect.DO.on(tested.get(0).store, this));
    }

    private void step() {
      int client = random.nextInt(CLIENTS);
      Operation operation =
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> new Claim(request(random.nextInt(5) > 0));
            case 3, 4 -> release(client);
            case 5 -> new Withdrawal(someClaim());
            case 6 -> new Look(someClaim());
            case 7 -> renewal(client);
            default -> rareOne();
          };
      both(client, operation);
      String state = Inspect.DO.on(tested.get(client).store, this);
      compare(operation, Inspect.DO.on(reference.get(client).store, this), state);
    }

    private Operation rareOne() {
      if (kind == ResourceKind.SEMAPHORE && random.nextInt(4) == 0) {
        return resize();
      }
      return random.nextInt(10) == 0 ? new Force() : new Look(someClaim());
    }

    /** Changes the limit; the number may be that of a change made before. */
    private Resize resize() {
      ResizeRequest.Kind[] kinds = ResizeRequest.Kind.values();
      ResizeRequest.Kind what = kinds[random.nextInt(kinds.length)];
      int permits = random.nextInt(7) - (what == ResizeRequest.Kind.ADD ? 3 : 0);
      return new Resize(firstChange + random.nextInt(MOST_CHANGES), what, permits);
    }

    private Renewal renewal(int client) {
      int permits = kind == ResourceKind.LOCK ? 0 : random.nextInt(3);
      return new Renewal(owner(client), someClaim(), permits);
    }

    /** Returns the number of a client to name as the owner, or null for the caller. */
    private @Nullable Integer owner(int client) {
      if (kind != ResourceKind.SEMAPHORE || random.nextInt(3) > 0) {
        return null;
      }
      return random.nextInt(3) == 0 ? client : random.nextInt(CLIENTS);
    }

    private void both(int client, Operation operation) {
      log.add(client + " " + operation);
      String expected = operation.on(reference.get(client).store, this);
      String actual = operation.on(tested.get(client).store, this);
      compare(operation, expected, actual);
    }

    private void compare(Operation operation, String expected, String actual) {
      assertThat(actual)
          .as(
              "%s; replay with -Dlockkeeper.test.seed=%d; so far:%n%s",
              operation, seed, String.join("\n", log))
          .isEqualTo(expected);
    }

    private Operation release(int client) {
      if (kind != ResourceKind.LOCK) {
        return new ShareRelease(owner(client), someClaim());
      }
      ClaimRequest requeue = random.nextInt(3) == 0 ? request(true) : null;
      long grant = someClaim();
      if (requeue != null && (requeue.claim() == grant || !requeue.queue())) {
        requeue = null;
      }
      return new ReleaseRequestOperation(
          new ReleaseRequest(resource, grant, ReleaseRequest.UNKNOWN, requeue));
    }

    private ClaimRequest request(boolean queue) {
      boolean again = random.nextInt(6) == 0 && claims > firstClaim;
      if (again) {
        return Objects.requireNonNull(requests.get(someClaim()));
      }
      int tokens = kind == ResourceKind.LOCK && random.nextInt(3) == 0 ? 65 : 1;
      long lease = 600_000 + 1_000L * random.nextInt(2);
      String label = " thread " + ++claims;
      ClaimRequest request =
          new ClaimRequest(resource, claims, lease, tokens, queue, share(), label);
      requests.put(claims, request);
      return request;
    }

    private Share share() {
      return switch (kind) {
        case LOCK -> Share.EXCLUSIVE;
        case READ_WRITE ->
            random.nextInt(4) == 0
                ? new Share(Share.ALL, Share.ALL, false)
                : new Share(1, Share.ALL, random.nextInt(4) == 0);
        case SEMAPHORE -> new Share(1 + random.nextInt(5), 4, random.nextInt(5) == 0);
        case BARRIER -> new Share(1, 3, false);
      };
    }

    /** Returns the store's id of a client, null for null. */
    @Nullable String ownerId(@Nullable Integer owner, Store store) {
      if (owner == null) {
        return null;
      }
      boolean isTested = tested.stream().anyMatch(client -> client.store == store);
      return (isTested ? tested : reference).get(owner).id;
    }

    /** Rather a recent one, so that something happens. */
    private long someClaim() {
      return Math.max(firstClaim + 1, claims - random.nextInt(12));
    }

    String name(String clientId) {
      return "client " + ids.get(clientId);
    }

    String text(@Nullable Grant grant) {
      return grant == null
          ? "none"
          : "grant %d %s tokens %d others %s confirmed %s"
              .formatted(
                  grant.grant(),
                  grant.claims(),
                  grant.lastToken() - grant.firstToken() + 1,
                  grant.othersWait(),
                  grant.confirmed());
    }

    String text(@Nullable Queued queued) {
      return queued == null ? "none" : "queued";
    }
  }

  /** Something to do on both stores; the answer as a text without times and token values. */
  private interface Operation {
    String on(Store store, Schedule schedule);
  }

  private record Claim(ClaimRequest request) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      ClaimAnswer answer = StoreProbe.answer(StoreProbe.get(store.claim(request)));
      if (answer instanceof ClaimAnswer.Granted granted) {
        return schedule.text(granted.grant());
      }
      return answer instanceof Queued queued ? schedule.text(queued) : "busy";
    }
  }

  private record ReleaseRequestOperation(ReleaseRequest request) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      ReleaseAnswer answer = StoreProbe.answer(StoreProbe.get(store.release(request)));
      return answer.released()
          + ", next "
          + schedule.text(answer.next())
          + ", requeued "
          + schedule.text(answer.requeued());
    }
  }

  private record Withdrawal(long claim) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      return StoreProbe.answer(StoreProbe.get(store.withdraw(schedule.resource, claim))).toString();
    }
  }

  private record Look(long claim) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      LookRequest request = new LookRequest(schedule.resource, claim);
      LookAnswer answer = StoreProbe.answer(StoreProbe.get(store.look(List.of(request))).get(0));
      if (answer instanceof LookAnswer.Granted granted) {
        return schedule.text(granted.grant());
      }
      return answer instanceof Queued queued ? schedule.text(queued) : "gone";
    }
  }

  private record ShareRelease(@Nullable Integer owner, long grant) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      String ownerId = schedule.ownerId(owner, store);
      return StoreProbe.answer(
              StoreProbe.get(
                  store.release(new ReleaseRequest(schedule.resource, ownerId, grant, 0, null))))
          .toString();
    }
  }

  private record Resize(long number, ResizeRequest.Kind kind, int permits) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      ResizeRequest request =
          new ResizeRequest(schedule.resource, number, kind, permits, 3, 600_000);
      return StoreProbe.answer(StoreProbe.get(store.resize(request))).toString();
    }
  }

  private record Renewal(@Nullable Integer owner, long grant, int permits) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      RenewRequest request =
          new RenewRequest(
              schedule.resource, schedule.ownerId(owner, store), grant, 600_000, permits);
      return StoreProbe.answer(StoreProbe.get(store.renew(List.of(request))).get(0)).toString();
    }
  }

  private record Force() implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      return StoreProbe.answer(StoreProbe.force(store, schedule.resource)).toString();
    }
  }

  private enum Inspect implements Operation {
    DO;

    @Override
    public String on(Store store, Schedule schedule) {
      Inspection found = StoreProbe.answer(StoreProbe.get(store.inspect(schedule.resource)));
      String holders =
          found.holders().stream()
              .map(
                  h ->
                      schedule.name(h.clientId()) + " " + h.grant() + "/" + h.permits() + h.label())
              .collect(Collectors.joining(", "));
      String waiters =
          found.waiters().stream()
              .map(
                  w ->
                      schedule.name(w.clientId()) + " " + w.claim() + "/" + w.permits() + w.label())
              .collect(Collectors.joining(", "));
      return waiters
          + " wait, held by "
          + holders
          + "; "
          + found.out()
          + " out of "
          + found.limit();
    }
  }
}
