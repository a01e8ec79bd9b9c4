package io.lockkeeper.spring.boot;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Whether the store answers, for the health indicator of either Spring Boot: it fails if not, and
 * else returns details, with a reason if the store grants nothing for now. One short request, no
 * inspection. Lost leases are a detail and no failure, because restarting the application does not
 * bring them back.
 */
final class LockkeeperHealthCheck implements Callable<Map<String, Object>>, LockListener {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final ObjectProvider<Lockkeeper> keeper;
  private final @Nullable String namespace;
  private final AtomicLong lost = new AtomicLong();

  /**
   * @param keeper not there yet when this is made, because this listens to it
   * @param namespace what the properties set it to
   */
  LockkeeperHealthCheck(ObjectProvider<Lockkeeper> keeper, @Nullable String namespace) {
    this.keeper = keeper;
    this.namespace = namespace;
  }

  @Override
  public void onEvent(LockEvent event) {
    if (event instanceof LockEvent.Lost) {
      lost.incrementAndGet();
    }
  }

  /** The detail that is there while the store answers but grants nothing. */
  static final String REASON = "reason";

  @Override
  public Map<String, Object> call() {
    Lockkeeper client = keeper.getObject();
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
