package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * A client of a store without an engine, whose answers are waited for. Each notification is a line
 * of text in a queue.
 */
public final class StoreProbe implements AutoCloseable {

  public static final long LEASE_MILLIS = 60_000;

  /** How long a change of a limit is remembered. */
  private static final long REMEMBER_MILLIS = 60_000;

  /** The numbers of changes of limits, far from those that tests give to claims. */
  private static final AtomicLong CHANGES = new AtomicLong(1L << 40);

  public final Store store;
  public final String id = UUID.randomUUID().toString().replace("-", "");
  public final BlockingQueue<String> notifications = new LinkedBlockingQueue<>();

  /** Opens one. */
  public StoreProbe(StoreFactory factory, String namespace, Timings timings) {
    this(factory, namespace, timings, new Random(1));
  }

  /** Opens one whose store draws from this. */
  public StoreProbe(
      StoreFactory factory, String namespace, Timings timings, RandomGenerator random) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, random);
    store = factory.open(new StoreContext(id, "test client", namespace, timings, environment));
    store.listen(new NotificationLines(notifications));
  }

  /** Claims with one token and a long lease, waiting in the queue. */
  public Outcome<ClaimAnswer> claim(ResourceId resource, long claim) {
    return get(store.claim(request(resource, claim)));
  }

  public static ClaimRequest request(ResourceId resource, long claim) {
    return new ClaimRequest(resource, claim, LEASE_MILLIS, 1, true);
  }

  public static ClaimRequest request(ResourceId resource, long claim, Share share) {
    return new ClaimRequest(resource, claim, LEASE_MILLIS, 1, true, share);
  }

  /** Claims a share, and must be granted it at once. */
  public Grant claimed(ResourceId resource, long claim, Share share) {
    return granted(get(store.claim(request(resource, claim, share))));
  }

  /** Claims a share, and must wait. */
  public Queued queued(ResourceId resource, long claim, Share share) {
    return (Queued) answer(get(store.claim(request(resource, claim, share))));
  }

  /** Claims, and must be granted at once. */
  public Grant claimed(ResourceId resource, long claim) {
    return granted(claim(resource, claim));
  }

  public static Grant granted(Outcome<ClaimAnswer> outcome) {
    assertThat(answer(outcome)).isInstanceOf(ClaimAnswer.Granted.class);
    return ((ClaimAnswer.Granted) answer(outcome)).grant();
  }

  /** Claims, and must wait. */
  public Queued queued(ResourceId resource, long claim) {
    return (Queued) answer(claim(resource, claim));
  }

  public ReleaseAnswer release(ResourceId resource, Grant grant) {
    return answer(get(store.release(releaseRequest(resource, grant))));
  }

  public static ReleaseRequest releaseRequest(ResourceId resource, Grant grant) {
    return new ReleaseRequest(resource, grant.grant(), grant.lastToken(), null);
  }

  public Outcome<RenewAnswer> renew(ResourceId resource, Grant grant) {
    return get(store.renew(List.of(new RenewRequest(resource, grant.grant(), LEASE_MILLIS))))
        .get(0);
  }

  public PollAnswer poll(ResourceId resource, long claim) {
    return answer(get(store.poll(List.of(new PollRequest(resource, claim)))).get(0));
  }

  /** Ends whatever is granted now. */
  public static Outcome<Forced> force(Store store, ResourceId resource) {
    return get(store.forceRelease(new ForceRequest(resource, Long.MAX_VALUE)));
  }

  /** Sets the limit of a semaphore, or gives it up if it is {@link Inspection#UNSET}. */
  public static Outcome<Resized> resize(Store store, ResourceId resource, int limit) {
    boolean isGivenUp = limit == Inspection.UNSET;
    ResizeRequest.Kind kind = isGivenUp ? ResizeRequest.Kind.GIVE_UP : ResizeRequest.Kind.SET;
    long number = CHANGES.getAndIncrement();
    return get(store.resize(new ResizeRequest(resource, number, kind, limit, 3, REMEMBER_MILLIS)));
  }

  /** Returns the next notification. */
  public String notification() {
    try {
      return notifications.poll(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public static <T> T answer(Outcome<T> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Answered.class);
    return ((Outcome.Answered<T>) outcome).answer();
  }

  public static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
