package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
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

/** A store without an engine, waited for. Each hint is a line of text in a queue. */
final class StoreProbe implements AutoCloseable {

  static final long LEASE_MILLIS = 60_000;

  final Store store;
  final String id = UUID.randomUUID().toString().replace("-", "");
  final BlockingQueue<String> hints = new LinkedBlockingQueue<>();

  /** Opens one with a namespace of its own. */
  static StoreProbe open(String url) {
    return open(url, "test");
  }

  static StoreProbe open(String url, String namespace) {
    return new StoreProbe(new JdbcStoreProvider().factory(url), namespace, Timings.DEFAULT);
  }

  StoreProbe(StoreFactory factory, String namespace, Timings timings) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    store = factory.open(new StoreContext(id, "test client", namespace, timings, environment));
    store.listen(new Notes());
  }

  /** Claims with one token and a long lease, waiting in the queue. */
  Outcome<ClaimAnswer> claim(String resource, long claim) {
    return get(store.claim(request(resource, claim)));
  }

  static ClaimRequest request(String resource, long claim) {
    return new ClaimRequest(resource, claim, LEASE_MILLIS, 1, true);
  }

  static ClaimRequest request(String resource, long claim, Share share) {
    return new ClaimRequest(resource, claim, LEASE_MILLIS, 1, true, share);
  }

  /** Claims a share, and must be granted it at once. */
  Grant claimed(String resource, long claim, Share share) {
    return granted(get(store.claim(request(resource, claim, share))));
  }

  /** Claims a share, and must wait. */
  Queued queued(String resource, long claim, Share share) {
    return (Queued) answer(get(store.claim(request(resource, claim, share))));
  }

  /** Claims, and must be granted at once. */
  Grant claimed(String resource, long claim) {
    return granted(claim(resource, claim));
  }

  static Grant granted(Outcome<ClaimAnswer> outcome) {
    assertThat(answer(outcome)).isInstanceOf(ClaimAnswer.Granted.class);
    return ((ClaimAnswer.Granted) answer(outcome)).grant();
  }

  /** Claims, and must wait. */
  Queued queued(String resource, long claim) {
    return (Queued) answer(claim(resource, claim));
  }

  ReleaseAnswer release(String resource, Grant grant) {
    return answer(get(store.release(releaseRequest(resource, grant))));
  }

  static ReleaseRequest releaseRequest(String resource, Grant grant) {
    return new ReleaseRequest(resource, grant.grant(), grant.lastToken(), null);
  }

  Outcome<RenewAnswer> renew(String resource, Grant grant) {
    return get(store.renew(List.of(new RenewRequest(resource, grant.grant(), LEASE_MILLIS))))
        .get(0);
  }

  LookAnswer look(String resource, long claim) {
    return answer(get(store.look(List.of(new LookRequest(resource, claim)))).get(0));
  }

  /** Returns the next hint. */
  String hint() {
    try {
      return hints.poll(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static <T> T answer(Outcome<T> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Answered.class);
    return ((Outcome.Answered<T>) outcome).answer();
  }

  static <T> T get(CompletionStage<T> stage) {
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

  private final class Notes implements HintListener {

    @Override
    public void granted(String resource, Grant grant) {
      hints.add("granted " + resource + " " + grant.claims());
    }

    @Override
    public void wanted(String resource) {
      hints.add("wanted " + resource);
    }

    @Override
    public void revoked(String resource) {
      hints.add("revoked " + resource);
    }

    @Override
    public void cellChanged(CellId cell) {
      hints.add("changed " + cell.name());
    }

    @Override
    public void reconnected() {
      hints.add("reconnected");
    }
  }
}
