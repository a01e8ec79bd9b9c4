package io.lockkeeper.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs a method with a distributed lock held.
 *
 * <pre>{@code
 * @Locked(name = "stock", key = "#sku")
 * @Transactional
 * public void deduct(String sku, int count) { ... }
 * }</pre>
 *
 * <p>The lock of this example is {@code stock:1001} for the item 1001. It is taken before the
 * transaction begins and released after the commit, whatever the order of the annotations. A method
 * that runs on another thread, by {@code @Async}, takes it on that thread.
 *
 * <p><b>Calls.</b> Only calls from other beans go through the proxy that takes the lock. A private,
 * static or final method with this annotation fails the start; a call from within the class, which
 * the proxy does not see, is a warning at the start. {@link LockTemplate} needs no proxy.
 *
 * <p><b>Re-entry.</b> The thread owns the lock, as by {@link
 * io.lockkeeper.DistributedLock#lock(io.lockkeeper.AcquireOptions)}: a method that calls another
 * one with the same lock goes on. A semaphore, and a method with an asynchronous result, do not
 * re-enter.
 *
 * <p><b>Asynchronous results.</b> If the method returns a {@link
 * java.util.concurrent.CompletionStage}, or a publisher such as Reactor's {@code Mono} and {@code
 * Flux}, the lock is held until that completes, fails or is cancelled. A publisher acquires when it
 * is subscribed to, without blocking, and each subscription for itself; the work then runs on
 * Reactor's parallel scheduler. Before a {@code CompletionStage} the calling thread waits. A
 * suspending function of Kotlin, and a {@code Flow}, is as a publisher; it needs {@code
 * kotlinx-coroutines-reactor} and {@code kotlin-reflect}. Asynchronous results whose end nobody
 * learns ({@code Future}, {@code Callable}, {@code DeferredResult}) fail the start.
 *
 * <p><b>The lease as a parameter.</b> A parameter of the type {@link io.lockkeeper.HeldLease} or a
 * subtype gets the lease, whatever the caller passes (mostly {@code null}): for its token, or to
 * ask whether it is still valid.
 *
 * <p><b>Several.</b> Several annotations on a method are several locks, taken in the order of their
 * names. Several keys of one annotation are one {@link io.lockkeeper.MultiLock}. On a method that
 * overrides or implements an annotated one, an annotation of its own replaces those.
 *
 * <p><b>Texts.</b> In every text {@code ${...}} is replaced by the property of that name.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Repeatable(Locks.class)
public @interface Locked {

  /** As {@link #name}. */
  @AliasFor("name")
  String value() default "";

  /**
   * The name of the lock, or what stands before a colon and the key if there is one. By default the
   * simple name of the class and the name of the method, {@code StockService.deduct}; give a name
   * if two methods are to exclude each other, or if they may be renamed.
   */
  @AliasFor("value")
  String name() default "";

  /**
   * SpEL expressions for what stands after the name, as in Spring's {@code @Cacheable}: {@code
   * #sku}, {@code #p0}, {@code #root.method}, {@code #root.args}, {@code #root.target}, {@code
   * @bean.of(#sku)}. Several keys, or a key that is a collection or an array, are several locks,
   * taken all or none. A key that is {@code null}, or no key in a collection, fails the call.
   */
  String[] key() default {};

  /** The kind of lock. */
  LockMode mode() default LockMode.LOCK;

  /** If positive, a semaphore with so many permits, one of which is taken. */
  int permits() default 0;

  /**
   * How long to wait at most, such as {@code 500ms}, {@code 5s}, {@code PT5S}, {@code
   * ${orders.wait}}. {@code 0} asks once. By default {@link LockSettings#waitTime()}, and without
   * that as long as it takes.
   */
  String waitTime() default "";

  /**
   * A fixed time for which to hold at most, from 50 ms to 24 hours. By default the lease is renewed
   * while the method runs.
   */
  String leaseTime() default "";

  /**
   * For a job that several instances start and one shall run: how long the lock is kept closed from
   * its acquisition, such as {@code 5m}, up to 24 hours, also if the method is over sooner or
   * throws. The other instances find it closed and, unless {@link #waitTime}, {@link #onFailure},
   * {@link #fallback} or {@link #handler} say otherwise, skip the call at once. As {@link
   * io.lockkeeper.Lockkeeper#once}: longer than the clocks of the instances differ, and shorter
   * than the period less that difference. Only for one lock, and for methods whose result is
   * complete when they return.
   */
  String atLeast() default "";

  /** A SpEL expression; if it is false, the method runs without this lock. */
  String condition() default "";

  /** The action if the wait is over without the lock. A store that does not answer is thrown. */
  OnFailure onFailure() default OnFailure.DEFAULT;

  /**
   * The name of a method to call instead if the wait is over without the lock: in the same class,
   * with the same parameters, and with a result that fits.
   */
  String fallback() default "";

  /** The name of a {@link LockFailureHandler} bean to ask if the wait is over without the lock. */
  String handler() default "";

  /** When the lock is released. */
  ReleasePoint release() default ReleasePoint.COMPLETION;

  /**
   * Whether the database refuses what the method writes after its lease has ended and a later
   * holder has written: {@link io.lockkeeper.jdbc.SqlFence#check} is done in the transaction in
   * which the method runs, before its body. The call fails if there is no transaction of JDBC, and
   * with a {@link io.lockkeeper.StaleTokenException} if a later holder has written. A {@code
   * SqlFence} bean says which fence; without one it is that of clients without a namespace. Not for
   * semaphores, {@link LockMode#READ} and asynchronous results.
   */
  boolean fenced() default false;

  /** The action if the lease is lost while the method runs. */
  OnLoss onLoss() default OnLoss.DEFAULT;

  /** The name of the {@link io.lockkeeper.Lockkeeper} bean, if there are several. */
  String keeper() default "";
}
