package io.lockkeeper.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Switches {@link Locked} on. The context must have a {@link io.lockkeeper.Lockkeeper} bean, and
 * may have a {@link LockSettings} bean.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(LocksRegistrar.class)
public @interface EnableLocks {

  /** The default of {@link #order}. */
  int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  /**
   * Whether beans get proxies of their classes, also where they have interfaces. As with {@code
   * EnableTransactionManagement} this then goes for all such proxies.
   */
  boolean proxyTargetClass() default false;

  /**
   * Where the lock is taken among the other advice. The default is outside of transactions and
   * caches, whose default is {@link Ordered#LOWEST_PRECEDENCE}. {@code @Async}, and
   * {@code @Retryable} of Spring Framework 7, are outside of all.
   */
  int order() default DEFAULT_ORDER;
}
