package io.lockkeeper.spi;

/**
 * What the engine has to know about a kind of store.
 *
 * @param confirmsHandOver whether a grant out of the queue must be confirmed by a renewal before
 *     its holder may rely on it (because, say, it is not yet on enough replicas)
 * @param pushes whether it sends hints; if not, waiting claims look again and again, and nobody
 *     relies on being told that others wait
 */
public record StoreTraits(boolean confirmsHandOver, boolean pushes) {

  /** A store whose grants count as soon as they are made, and that sends hints. */
  public static final StoreTraits PLAIN = new StoreTraits(false, true);
}
