package io.lockkeeper.memory;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A server on a manual clock, and clients that write down their notifications. */
final class Fixture {

  final ManualTime time = new ManualTime();
  final MemoryServer server = new MemoryServer(time);
  final List<String> notifications = new ArrayList<>();

  MemoryStore open(String clientId) {
    MemoryStore store = openDeaf(clientId);
    store.listen(new Listener(clientId));
    return store;
  }

  /** Opens a store that nobody listens to yet. */
  MemoryStore openDeaf(String clientId) {
    Supplier<Scheduler> schedulers = Threads::scheduler;
    Environment environment = new Environment(time, schedulers, new Random(1));
    return (MemoryStore)
        server
            .factory()
            .open(new StoreContext(clientId, clientId, "ns", Timings.DEFAULT, environment));
  }

  void pass(long millis) {
    time.advance(Duration.ofMillis(millis));
  }

  static ClaimRequest claim(long claim) {
    return claim(ResourceId.lock("r"), claim);
  }

  static ClaimRequest claim(ResourceId resource, long claim) {
    return new ClaimRequest(resource, claim, 30_000, 1, true);
  }

  static ClaimRequest claim(long claim, int tokens) {
    return new ClaimRequest(ResourceId.lock("r"), claim, 30_000, tokens, true);
  }

  static Grant granted(Store store, ClaimRequest request) {
    return ((ClaimAnswer.Granted) get(store.claim(request))).grant();
  }

  static <T> T get(CompletionStage<Outcome<T>> stage) {
    return ((Outcome.Answered<T>) stage.toCompletableFuture().getNow(null)).answer();
  }

  private final class Listener implements NotificationListener {

    private final String clientId;

    Listener(String clientId) {
      this.clientId = clientId;
    }

    @Override
    public void granted(ResourceId resource, Grant grant) {
      notifications.add(clientId + " granted " + resource.name() + " " + grant.claims());
    }

    @Override
    public void contended(ResourceId resource) {
      notifications.add(clientId + " contended " + resource.name());
    }

    @Override
    public void revoked(ResourceId resource) {
      notifications.add(clientId + " revoked " + resource.name());
    }

    @Override
    public void cellChanged(CellId cell) {
      notifications.add(clientId + " changed " + cell.name());
    }

    @Override
    public void reconnected() {
      notifications.add(clientId + " reconnected");
    }
  }
}
