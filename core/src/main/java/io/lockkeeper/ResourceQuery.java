package io.lockkeeper;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a {@linkplain LockkeeperAdmin report} covers: all, those with a prefix, or the
 * next part of them. Immutable.
 *
 * <pre>{@code
 * admin.inspect(ResourceQuery.prefix("stock:").limit(50));
 *
 * ResourceQuery query = ResourceQuery.parts(100);
 * List<ResourceReport> part = admin.inspect(query);
 * while (part.size() == 100) {
 *   part = admin.inspect(query.after(part.get(99)));
 * }
 * }</pre>
 *
 * @param prefix how the names begin; empty for all
 * @param limit how many to report at most, at least 1. If there are more, the order in which the
 *     store has them decides which
 * @param isPart whether they are in the store's order, so that a later query can go on behind the
 *     last one
 * @param afterKind the kind of the resource to go on behind; null to begin
 * @param afterName its name; null to begin
 */
public record ResourceQuery(
    String prefix,
    int limit,
    boolean isPart,
    @Nullable ResourceKind afterKind,
    @Nullable String afterName) {

  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if the limit is smaller than 1, or a part goes on behind half
   *     a resource
   */
  public ResourceQuery {
    Objects.requireNonNull(prefix, "prefix");
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, is " + limit);
    }
    if ((afterKind == null) != (afterName == null) || (afterName != null && !isPart)) {
      throw new IllegalArgumentException("a part goes on behind a kind and a name");
    }
  }

  /** Returns the query for all. */
  public static ResourceQuery all() {
    return prefix("");
  }

  /** Returns the query for all whose names begin with a prefix. */
  public static ResourceQuery prefix(String prefix) {
    return new ResourceQuery(prefix, Integer.MAX_VALUE, false, null, null);
  }

  /**
   * Returns the query for the first of several parts, each of which costs the store little. Fewer
   * than {@code limit} are the last ones. A resource that is in use all the time is in one part;
   * what begins or ends meanwhile may be left out.
   *
   * @throws IllegalArgumentException if the limit is smaller than 1
   */
  public static ResourceQuery parts(int limit) {
    return new ResourceQuery("", limit, true, null, null);
  }

  /**
   * Returns this query for at most so many.
   *
   * @throws IllegalArgumentException if the limit is smaller than 1
   */
  public ResourceQuery limit(int most) {
    return new ResourceQuery(prefix, most, isPart, afterKind, afterName);
  }

  /** Returns the query for the part behind the one that ends with this report. */
  public ResourceQuery after(ResourceReport last) {
    return after(last.kind(), last.name());
  }

  /** Returns the query for the part behind the one that ends with this glance. */
  public ResourceQuery after(ResourceGlance last) {
    return after(last.kind(), last.name());
  }

  private ResourceQuery after(ResourceKind kind, String name) {
    return new ResourceQuery(prefix, limit, true, kind, name);
  }
}
