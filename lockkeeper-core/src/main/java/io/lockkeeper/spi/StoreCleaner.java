package io.lockkeeper.spi;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Deletes from a store what is left of names that nobody uses any more. A kind of store where that
 * goes by itself, at once or after a while, needs none.
 */
@FunctionalInterface
public interface StoreCleaner {

  /**
   * What was deleted of one kind.
   *
   * @param what the kind, for people, such as {@code names}
   * @param count how many of it
   */
  record Deleted(String what, long count) {}

  /**
   * Cleans the namespace of the context. What is held, waited for or set stays, and tokens go on
   * growing. May be called while clients are at work, and again.
   *
   * @param age how long nobody must have used what is deleted
   * @param isTrial whether it only counts what it would delete
   * @param progress is told now and then how much has been looked at
   * @return what was deleted, each kind once
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   * @throws io.lockkeeper.StoreRefusedException if it refuses the client
   */
  List<Deleted> clean(StoreContext context, Duration age, boolean isTrial, LongConsumer progress);
}
