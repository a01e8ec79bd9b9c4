package io.lockkeeper.spring;

import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/**
 * The libraries that an application may have. A class that names their types is not even loaded
 * where they are missing, so it cannot say so itself.
 */
final class Libraries {

  /** Publishers can be locked. */
  static final boolean REACTOR = has("reactor.core.publisher.Flux");

  /** Suspending functions can be locked: Spring makes publishers of them with these. */
  static final boolean COROUTINES =
      REACTOR && has("kotlinx.coroutines.reactor.MonoKt", "kotlin.reflect.full.KCallables");

  /** A lock can be kept until the end of a transaction. */
  static final boolean TRANSACTIONS =
      has("org.springframework.transaction.support.TransactionSynchronizationManager");

  /** A database can refuse late writes. */
  static final boolean FENCES =
      TRANSACTIONS
          && has(
              "io.lockkeeper.jdbc.SqlFence",
              "org.springframework.jdbc.datasource.ConnectionHolder");

  private Libraries() {}

  private static boolean has(String... types) {
    ClassLoader loader = Libraries.class.getClassLoader();
    return Stream.of(types).allMatch(type -> ClassUtils.isPresent(type, loader));
  }
}
