package io.lockkeeper.spi;

/**
 * The properties of a kind of store that the engine depends on.
 *
 * @param confirmsHandOver whether a grant out of the queue must be confirmed by a renewal before
 *     its holder may rely on it (for example because it is not yet on enough replicas)
 * @param pushes whether it sends notifications; if not, waiting claims poll, and nobody relies on
 *     being notified that others wait
 */
public record StoreTraits(boolean confirmsHandOver, boolean pushes) {

  /**
   * The traits of a store whose grants count as soon as they are made, and that sends
   * notifications.
   */
  public static final StoreTraits PLAIN = new StoreTraits(false, true);
}
