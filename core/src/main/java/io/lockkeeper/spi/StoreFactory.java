package io.lockkeeper.spi;

/** Opens a store for one client. */
@FunctionalInterface
public interface StoreFactory {

  /**
   * Connects, within the connect timeout.
   *
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer, or the thread is
   *     interrupted: it then stays interrupted, and the message says so
   * @throws io.lockkeeper.StoreRefusedException if the store refuses the client
   * @throws IllegalArgumentException if the address is malformed
   */
  Store open(StoreContext context);

  /**
   * Returns where the store is that this opens, as {@link Store#describe} says it, without
   * connecting and without any secret: for messages of a client that is not connected yet, and to
   * tell stores from each other.
   */
  default String describe() {
    return "a store that is not connected yet";
  }

  /**
   * Returns a factory that says where its stores are.
   *
   * @param where what {@link #describe} returns
   */
  static StoreFactory at(String where, StoreFactory factory) {
    return new StoreFactory() {
      @Override
      public Store open(StoreContext context) {
        return factory.open(context);
      }

      @Override
      public String describe() {
        return where;
      }
    };
  }
}
