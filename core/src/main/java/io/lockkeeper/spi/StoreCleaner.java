package io.lockkeeper.spi;

import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Deletes from a store the records of names that nobody uses any more. A kind of store that removes
 * them by itself needs no cleaner.
 */
@FunctionalInterface
public interface StoreCleaner {

  /**
   * The number of deleted records of one kind.
   *
   * @param what the kind, for people, such as {@code names}
   * @param count how many were deleted
   */
  record Deleted(String what, long count) {}

  /**
   * Cleans the namespace of the context. What is held, waited for or set stays, and tokens go on
   * growing. May be called while clients are at work, and again.
   *
   * @param age deletes only records that nobody has used for this long
   * @param isTrial whether to count only, without deleting
   * @param progress called now and then with the number of records examined so far
   * @return the numbers of deleted records, each kind once
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   * @throws io.lockkeeper.StoreRefusedException if the store refuses the client
   */
  List<Deleted> clean(StoreContext context, Duration age, boolean isTrial, LongConsumer progress);
}
