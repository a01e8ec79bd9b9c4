package io.lockkeeper.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gives tests what a {@link LockkeeperExtension} has for them. */
@Documented
@ExtendWith(LockkeeperExtension.class)
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface WithLockkeeper {

  /**
   * Returns the address of the store. Default that of {@link LockkeeperExtension#URL_PROPERTY},
   * else a memory store. A Redis grants at once ({@code afterLoss=grant}) unless the address says
   * otherwise.
   */
  String url() default "";

  /**
   * Returns the namespace, to have the locks of an application that runs in the test. Default one
   * that no other test has.
   */
  String namespace() default "";
}
