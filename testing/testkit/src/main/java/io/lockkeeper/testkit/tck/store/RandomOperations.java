package io.lockkeeper.testkit.tck.store;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Random operations of several clients on one resource. What a store answers to one of them is a
 * text without times and token values, so that stores can be compared.
 */
public final class RandomOperations {

  /** The clients of one of the stores that are compared. */
  public interface Clients {

    /** Returns the id of a client at this store. */
    String id(int client);

    /** Returns the number of the client of this id. */
    int number(String id);

    /** Called for a grant in an answer to a client. */
    default void granted(int client, Grant grant) {}
  }

  /** Something to do at a store. */
  public interface Operation {

    /** Does it as one of the clients. */
    CompletionStage<Outcome<String>> on(Store store, int client, Clients clients);

    /** Returns whether it may do without a lock on what it reads. */
    default boolean mayOnlyRead() {
      return false;
    }
  }

  /** Of how many changes of the limit is chosen. */
  private static final int MOST_CHANGES = 8;

  private static final long REMEMBER_MILLIS = 600_000;

  private final ResourceKind kind;
  private final ResourceId resource;
  private final Random random;
  private final int clients;
  private final long leaseMillis;
  private final Map<Long, ClaimRequest> requests = new HashMap<>();
  private final long firstClaim;
  private final long firstChange;
  private long claims;
  private boolean rests;

  /**
   * Creates them.
   *
   * @param firstClaim what the numbers of all claims are larger than
   * @param leaseMillis the shortest lease; some are a second longer
   */
  public RandomOperations(
      Random random,
      ResourceKind kind,
      String name,
      int clients,
      long firstClaim,
      long leaseMillis) {
    this.kind = kind;
    this.resource = new ResourceId(kind, name);
    this.random = random;
    this.clients = clients;
    this.firstClaim = firstClaim;
    this.firstChange = (1L << 40) + firstClaim;
    this.claims = firstClaim;
    this.leaseMillis = leaseMillis;
  }

  /** Returns the next operation of a client. */
  public Operation next(int client) {
    if (rests && random.nextInt(10) == 0) {
      rests = false;
      return new Force(resource);
    }
    return switch (random.nextInt(9)) {
      case 0, 1, 2 -> new Claim(request(random.nextInt(5) > 0));
      case 3, 4 -> release(client);
      case 5 -> new Withdrawal(resource, someClaim());
      case 6 -> new Look(resource, someClaim());
      case 7 -> renewal(client);
      default -> rareOne();
    };
  }

  /** Returns operations after which, done by each client, nothing is left of the resource. */
  public List<Operation> last() {
    Stream<Operation> withdrawals =
        Stream.iterate(firstClaim + 1, claim -> claim <= claims, claim -> claim + 1)
            .map(claim -> new Withdrawal(resource, claim));
    if (kind.isExclusive()) {
      return Stream.concat(withdrawals, Stream.of(new Force(resource))).toList();
    }
    return kind == ResourceKind.SEMAPHORE
        ? Stream.concat(
                withdrawals,
                Stream.of(resize(firstChange + MOST_CHANGES, ResizeRequest.Kind.GIVE_UP, 0)))
            .toList()
        : withdrawals.toList();
  }

  /** Returns the operation that says how things are. */
  public Operation inspection() {
    return new Inspect(resource);
  }

  private Operation rareOne() {
    if (kind == ResourceKind.SEMAPHORE && random.nextInt(4) == 0) {
      return resize();
    }
    return random.nextInt(10) == 0 ? new Force(resource) : new Look(resource, someClaim());
  }

  /** Changes the limit; the number may be that of a change made before. */
  private Resize resize() {
    ResizeRequest.Kind[] kinds = ResizeRequest.Kind.values();
    ResizeRequest.Kind what = kinds[random.nextInt(kinds.length)];
    int permits = random.nextInt(7) - (what == ResizeRequest.Kind.ADD ? 3 : 0);
    return resize(firstChange + random.nextInt(MOST_CHANGES), what, permits);
  }

  private Resize resize(long number, ResizeRequest.Kind what, int permits) {
    return new Resize(new ResizeRequest(resource, number, what, permits, 3, REMEMBER_MILLIS));
  }

  private Operation renewal(int client) {
    int permits = kind.isExclusive() ? 0 : random.nextInt(3);
    String label = kind.isExclusive() && random.nextBoolean() ? "n" + random.nextInt(3) : null;
    return new Renewal(resource, owner(client), someClaim(), leaseMillis, permits, label);
  }

  /** Returns the number of a client to name as the owner, or null for the caller. */
  private @Nullable Integer owner(int client) {
    if (kind != ResourceKind.SEMAPHORE || random.nextInt(3) > 0) {
      return null;
    }
    return random.nextInt(3) == 0 ? client : random.nextInt(clients);
  }

  private Operation release(int client) {
    if (!kind.isExclusive()) {
      return new Release(resource, owner(client), someClaim(), null, 0);
    }
    if (random.nextInt(12) == 0) {
      rests = true;
      return new Release(resource, null, someClaim(), null, leaseMillis);
    }
    ClaimRequest requeue = random.nextInt(3) == 0 ? request(true) : null;
    long grant = someClaim();
    if (requeue != null && (requeue.claim() == grant || !requeue.queue())) {
      requeue = null;
    }
    return new Release(resource, null, grant, requeue, 0);
  }

  private ClaimRequest request(boolean queue) {
    boolean again = random.nextInt(6) == 0 && claims > firstClaim;
    if (again) {
      return Objects.requireNonNull(requests.get(someClaim()));
    }
    int tokens = kind.isExclusive() && random.nextInt(3) == 0 ? 65 : 1;
    long lease = leaseMillis + 1_000L * random.nextInt(2);
    String label = " thread " + ++claims;
    ClaimRequest request = new ClaimRequest(resource, claims, lease, tokens, queue, share(), label);
    requests.put(claims, request);
    return request;
  }

  private Share share() {
    return switch (kind) {
      case LOCK, LEADER_ELECTION -> Share.EXCLUSIVE;
      case READ_WRITE_LOCK ->
          random.nextInt(4) == 0
              ? new Share(Share.ALL, Share.ALL, false)
              : new Share(1, Share.ALL, random.nextInt(4) == 0);
      case SEMAPHORE -> new Share(1 + random.nextInt(5), 4, random.nextInt(5) == 0);
      case BARRIER -> new Share(1, 3, false);
    };
  }

  /** Rather a recent one, so that something happens. */
  private long someClaim() {
    return Math.max(firstClaim + 1, claims - random.nextInt(12));
  }

  // ------------------------------------------------------------- answers as texts

  private static <T> CompletionStage<Outcome<String>> text(
      CompletionStage<Outcome<T>> asked, Function<T, String> words) {
    return asked.thenApply(
        outcome -> {
          if (outcome instanceof Outcome.Answered<T> answered) {
            return Outcome.answered(words.apply(answered.answer()));
          } else if (outcome instanceof Outcome.Refused<T> refused) {
            return Outcome.refused(refused.problem(), refused.message());
          }
          return Outcome.unknown(((Outcome.Unknown<T>) outcome).cause());
        });
  }

  private static <T> CompletionStage<Outcome<T>> only(CompletionStage<List<Outcome<T>>> asked) {
    return asked.thenApply(outcomes -> outcomes.get(0));
  }

  private static String text(@Nullable Grant grant, int client, Clients clients) {
    if (grant == null) {
      return "none";
    }
    clients.granted(client, grant);
    return "grant %d %s tokens %d others %s confirmed %s"
        .formatted(
            grant.grant(),
            grant.claims(),
            grant.lastToken() - grant.firstToken() + 1,
            grant.othersWait(),
            grant.confirmed());
  }

  private static String text(@Nullable Queued queued) {
    return queued == null ? "none" : "queued";
  }

  private static @Nullable String id(@Nullable Integer owner, Clients clients) {
    return owner == null ? null : clients.id(owner);
  }

  private record Claim(ClaimRequest request) implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      return text(
          store.claim(request),
          answer -> {
            if (answer instanceof ClaimAnswer.Granted granted) {
              return text(granted.grant(), client, clients);
            }
            return answer instanceof Queued queued ? text(queued) : "busy";
          });
    }
  }

  private record Release(
      ResourceId resource,
      @Nullable Integer owner,
      long grant,
      @Nullable ClaimRequest requeue,
      long restMillis)
      implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      ReleaseRequest request =
          new ReleaseRequest(
              resource, id(owner, clients), grant, ReleaseRequest.UNKNOWN, requeue, restMillis);
      return text(
          store.release(request),
          answer ->
              answer.released()
                  + ", next "
                  + text(answer.next(), client, clients)
                  + ", requeued "
                  + text(answer.requeued()));
    }
  }

  private record Withdrawal(ResourceId resource, long claim) implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      return text(store.withdraw(resource, claim), answer -> "passed " + answer.hasPassed());
    }
  }

  private record Look(ResourceId resource, long claim) implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      return text(
          only(store.poll(List.of(new PollRequest(resource, claim)))),
          answer -> {
            if (answer instanceof PollAnswer.Granted granted) {
              return text(granted.grant(), client, clients);
            }
            return answer instanceof Queued queued ? text(queued) : "gone";
          });
    }

    @Override
    public boolean mayOnlyRead() {
      return true;
    }
  }

  private record Resize(ResizeRequest request) implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      return text(store.resize(request), Object::toString);
    }
  }

  private record Renewal(
      ResourceId resource,
      @Nullable Integer owner,
      long grant,
      long leaseMillis,
      int permits,
      @Nullable String label)
      implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      RenewRequest request =
          new RenewRequest(resource, id(owner, clients), grant, leaseMillis, permits, label);
      return text(only(store.renew(List.of(request))), Object::toString);
    }
  }

  private record Force(ResourceId resource) implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      return text(store.forceRelease(new ForceRequest(resource, Long.MAX_VALUE)), Object::toString);
    }
  }

  private record Inspect(ResourceId resource) implements Operation {
    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      return RandomOperations.text(store.inspect(resource), found -> words(found, clients));
    }

    @Override
    public boolean mayOnlyRead() {
      return true;
    }

    private static String words(Inspection found, Clients clients) {
      String holders =
          found.holders().stream()
              .map(
                  h ->
                      name(h.clientId(), clients) + " " + h.grant() + "/" + h.permits() + h.label())
              .collect(Collectors.joining(", "));
      String waiters =
          found.waiters().stream()
              .map(
                  w ->
                      name(w.clientId(), clients) + " " + w.claim() + "/" + w.permits() + w.label())
              .collect(Collectors.joining(", "));
      return waiters
          + " wait, held by "
          + holders
          + "; "
          + found.out()
          + " out of "
          + found.limit();
    }

    private static String name(String id, Clients clients) {
      String what = Inspection.Holder.isResting(id) ? "nobody after client " : "client ";
      return what + clients.number(Inspection.Holder.lastClientId(id));
    }
  }
}
