package io.lockkeeper.spi;

/**
 * What the engine has to know about a kind of store.
 *
 * @param confirmsHandOver whether a grant out of the queue must be confirmed by a renewal before
 *     its holder may rely on it (because, say, it is not yet on enough replicas)
 */
public record StoreTraits(boolean confirmsHandOver) {

  /** A store whose grants count as soon as they are made. */
  public static final StoreTraits PLAIN = new StoreTraits(false);
}
