package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/**
 * A client of a store, as other clients see it.
 *
 * @param id its {@link Lockkeeper#clientId()}
 * @param name its {@link Lockkeeper#clientName()}, or null if the store does not know it, or not
 *     any more
 * @param host the host that it runs on, or null if the store does not know it
 * @param pid the id of its process there, or null if the store does not know it
 */
public record ClientInfo(
    String id, @Nullable String name, @Nullable String host, @Nullable Long pid) {

  /** Returns a client of which only the id is known. */
  public static ClientInfo unknown(String id) {
    return new ClientInfo(id, null, null, null);
  }

  /** Returns the name, or the id if the name is not known. */
  @Override
  public String toString() {
    return name == null ? id : name;
  }
}
