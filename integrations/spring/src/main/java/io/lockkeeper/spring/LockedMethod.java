package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A method with its locks.
 *
 * @param method the method of the target's class
 * @param result when it is complete
 * @param variables the positions of the parameters, by what expressions call them
 * @param leaseParameters the positions of the parameters that get the lease
 * @param isConstant whether each call takes the same
 * @param needsContext whether an expression has to be evaluated at a call
 * @param constant what each call takes, once that is known
 */
record LockedMethod(
    Method method,
    List<LockedOperation> operations,
    Result result,
    Map<String, Integer> variables,
    List<Integer> leaseParameters,
    boolean isConstant,
    boolean needsContext,
    AtomicReference<@Nullable List<LockedCall.Step>> constant) {

  static LockedMethod of(
      Method method,
      List<LockedOperation> operations,
      Result result,
      Map<String, Integer> variables,
      List<Integer> leaseParameters) {
    return new LockedMethod(
        method,
        operations,
        result,
        variables,
        leaseParameters,
        operations.stream().allMatch(LockedOperation::isConstant),
        operations.stream().anyMatch(LockedOperation::needsContext),
        new AtomicReference<>());
  }

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
