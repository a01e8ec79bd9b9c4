package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator's endpoint {@code lockkeeper}: who holds and who waits. Release by force needs
 * {@code management.endpoint.lockkeeper.access=unrestricted}.
 */
@Endpoint(id = "lockkeeper", defaultAccess = Access.READ_ONLY)
public final class LockkeeperEndpoint {

  private static final int MOST_LISTED = 10_000;

  private final Lockkeeper keeper;

  /** Creates the endpoint. */
  public LockkeeperEndpoint(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  /** Returns a report on each resource that somebody holds or waits for, on 10,000 at most. */
  @ReadOperation
  public Map<String, List<ResourceReport>> all() {
    return Map.of("resources", keeper.inspect("", MOST_LISTED));
  }

  /**
   * Returns a report on one resource.
   *
   * @param kind such as {@code lock} or {@code read-write-lock}
   * @param name its name
   */
  @ReadOperation
  public ResourceReport one(@Selector String kind, @Selector String name) {
    return keeper.inspect(kind(kind), name);
  }

  /**
   * Revokes what its holders hold.
   *
   * @param kind such as {@code lock} or {@code read-write-lock}
   * @param name its name
   * @return how many still held it
   */
  @DeleteOperation
  public Map<String, Long> release(@Selector String kind, @Selector String name) {
    long released =
        keeper.inspect(kind(kind), name).holders().stream().filter(keeper::forceRelease).count();
    return Map.of("released", released);
  }

  private static ResourceKind kind(String text) {
    return ResourceKind.valueOf(text.replace('-', '_').toUpperCase(Locale.ROOT));
  }
}
