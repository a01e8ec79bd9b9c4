package io.lockkeeper.integration;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A check whether the store answers, for the health indicator of a framework: it fails if not, and
 * else returns details, with a {@link #REASON} if the store grants nothing for now. One short
 * request, no inspection. Lost leases, which it counts as a listener of the client, are a detail
 * and no failure, because restarting the application does not bring them back. Thread-safe.
 */
public final class HealthCheck implements Callable<Map<String, Object>>, LockListener {

  /** The detail that is there while the store answers but grants nothing. */
  public static final String REASON = "reason";

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Supplier<Lockkeeper> keeper;
  private final @Nullable String namespace;
  private final AtomicLong lost = new AtomicLong();

  /**
   * Creates a check.
   *
   * @param keeper gives the client, which may be made after this, its listener
   * @param namespace the client's namespace if it has been set
   */
  public HealthCheck(Supplier<Lockkeeper> keeper, @Nullable String namespace) {
    this.keeper = keeper;
    this.namespace = namespace;
  }

  @Override
  public void onEvent(LockEvent event) {
    if (event instanceof LockEvent.Lost) {
      lost.incrementAndGet();
    }
  }

  @Override
  public Map<String, Object> call() {
    Lockkeeper client = keeper.get();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("client", client.clientName());
    if (namespace != null) {
      details.put("namespace", namespace);
    }
    details.put("pingMillis", client.admin().ping(TIMEOUT).toMillis());
    client
        .admin()
        .quarantine()
        .ifPresent(
            quarantine -> {
              details.put(REASON, quarantine.reason());
              details.put("secondsLeft", quarantine.secondsLeft());
            });
    details.put("lostLeases", lost.get());
    details.put("droppedEvents", client.admin().droppedEvents());
    return details;
  }
}
