package io.lockkeeper.testkit.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the promises of {@code docs/SPEC.md} that a test checks. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Promise {

  /** Returns their ids, such as {@code T2}. */
  String[] value();
}
