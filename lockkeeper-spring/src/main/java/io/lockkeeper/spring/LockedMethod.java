package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.List;

/**
 * A method with its locks.
 *
 * @param method the method of the target's class
 * @param result when it is complete
 * @param leaseParameters the positions of the parameters that get the lease
 */
record LockedMethod(
    Method method, List<LockedOperation> operations, Result result, List<Integer> leaseParameters) {

  /** When a call is complete. */
  enum Result {
    /** When it returns. */
    VALUE,
    /** When the stage is. */
    STAGE,
    /** When the publisher is. */
    PUBLISHER
  }
}
