package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The actuator's endpoint {@code lockkeeper}: holders and waiters. Release by force needs {@code
 * management.endpoint.lockkeeper.access=unrestricted}.
 */
@Endpoint(id = "lockkeeper", defaultAccess = Access.READ_ONLY)
public final class LockkeeperEndpoint {

  private static final int MOST_LISTED = 10_000;

  /** A report without an answer would keep its reader waiting for the store timeout. */
  private static final Duration ANSWERS = Duration.ofSeconds(2);

  private final Lockkeeper keeper;

  /** Creates the endpoint. */
  public LockkeeperEndpoint(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  /** Returns a report on each resource with a holder or a waiter, on 10,000 at most. */
  @ReadOperation
  public Map<String, List<Map<String, @Nullable Object>>> all() {
    keeper.admin().ping(ANSWERS);
    return Map.of(
        "resources",
        keeper.admin().inspect(ResourceQuery.all().limit(MOST_LISTED)).stream()
            .map(ResourceReport::toMap)
            .toList());
  }

  /**
   * Returns a report on one resource.
   *
   * @param kind such as {@code lock} or {@code read-write-lock}
   * @param name its name, in parts if it has slashes
   * @throws InvalidEndpointRequestException if there is no such kind, or no such name can be
   */
  @ReadOperation
  public Map<String, @Nullable Object> one(
      @Selector String kind, @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
    return report(kind, name).toMap();
  }

  private ResourceReport report(String kind, String... name) {
    ResourceKind known = kind(kind);
    keeper.admin().ping(ANSWERS);
    try {
      return keeper.admin().inspect(known, String.join("/", name));
    } catch (IllegalArgumentException e) {
      throw new InvalidEndpointRequestException("not a name", String.valueOf(e.getMessage()));
    }
  }

  /**
   * Revokes what its holders hold.
   *
   * @param kind such as {@code lock} or {@code read-write-lock}
   * @param name its name, in parts if it has slashes
   * @return how many still held it
   * @throws InvalidEndpointRequestException if there is no such kind, or no such name can be
   */
  @DeleteOperation
  public Map<String, Long> release(
      @Selector String kind, @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
    long released =
        report(kind, name).holders().stream().filter(keeper.admin()::forceRelease).count();
    return Map.of("released", released);
  }

  private static ResourceKind kind(String text) {
    return ResourceKind.ofId(text)
        .orElseThrow(
            () ->
                new InvalidEndpointRequestException(
                    "not a kind",
                    "the kind must be one of "
                        + Arrays.stream(ResourceKind.values()).map(ResourceKind::id).toList()));
  }
}
