package io.lockkeeper.spi;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question for the ids of resources: those whose names begin with a prefix, or the next of them.
 *
 * @param prefix how their names begin; empty for all
 * @param after the last one that is known already, in the order of the store; null to begin
 * @param limit how many to list at most, at least 1
 */
public record Listing(String prefix, @Nullable ResourceId after, int limit) {

  private static final Comparator<ResourceId> ORDER =
      Comparator.comparing(ResourceId::name).thenComparing(ResourceId::kind);

  /** Checks the limit. */
  public Listing {
    if (limit < 1) {
      throw new IllegalArgumentException("a listing of " + limit);
    }
  }

  /** Returns the question for all of them at once. */
  public static Listing all() {
    return all("");
  }

  /** Returns the question for all with names that begin with {@code prefix} at once. */
  public static Listing all(String prefix) {
    return new Listing(prefix, null, Integer.MAX_VALUE);
  }

  /** Returns whether a resource is one of those that are asked for, as far as the names say. */
  public boolean has(ResourceId resource) {
    return resource.name().startsWith(prefix)
        && (after == null || ORDER.compare(resource, after) > 0);
  }

  /**
   * Returns those of these resources that are asked for, in order of their names. A store without
   * an order of its own answers with this.
   */
  public List<ResourceId> of(Collection<ResourceId> resources) {
    return resources.stream().filter(this::has).sorted(ORDER).limit(limit).toList();
  }
}
