package io.lockkeeper.quarkus;

import io.lockkeeper.integration.OnFailure;
import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method with a distributed lock held.
 *
 * <pre>{@code
 * @Locked("stock:{sku}")
 * @Transactional
 * public void deduct(String sku, int count) { ... }
 * }</pre>
 *
 * <p>The lock of this example is {@code stock:1001} for the item 1001. It is taken before the
 * transaction begins and released after the commit, and is around the {@code @Retry} of fault
 * tolerance too.
 *
 * <p><b>Calls.</b> The annotation belongs on methods; on a class, or on a private or static method,
 * it fails the build. A thread that must not block, such as one of the event loop, gets an {@link
 * IllegalStateException}.
 *
 * <p><b>Re-entry.</b> The thread owns the lock: a method that calls another one with the same lock
 * goes on.
 *
 * <p><b>Asynchronous results.</b> If the method returns a {@link
 * java.util.concurrent.CompletionStage}, the lock is held until that is complete, and does not
 * re-enter; before it the calling thread waits. Other results that complete later, such as {@code
 * Uni}, fail the build.
 *
 * <p><b>The lease</b> is renewed while the method runs. If it is lost, the call throws {@link
 * io.lockkeeper.LeaseLostException}, or has it suppressed in what the method throws.
 */
@InterceptorBinding
@Target({ElementType.METHOD, ElementType.TYPE}) // the type is that of the interceptor
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {

  /**
   * The name of the lock, in which {@code {sku}} stands for the argument of the parameter {@code
   * sku}. By default the simple name of the class and the name of the method, {@code
   * StockService.deduct}; give a name if two methods are to exclude each other, or if they may be
   * renamed.
   */
  @Nonbinding
  String value() default "";

  /** How long to wait at most, such as {@code 500ms}; {@code 0} asks once. By default no limit. */
  @Nonbinding
  String waitTime() default "";

  /** A fixed time for which to hold at most, from 50 ms to 24 hours. By default it is renewed. */
  @Nonbinding
  String leaseTime() default "";

  /** The action if the wait is over without the lock. A store that does not answer is thrown. */
  @Nonbinding
  OnFailure onFailure() default OnFailure.THROW;
}
