package io.lockkeeper.spring;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.util.ClassUtils;

/**
 * The libraries that an application may have. A class that names their types is not even loaded
 * where they are missing, so it cannot say so itself.
 */
final class Libraries {

  private static final String FLUX = "reactor.core.publisher.Flux";
  private static final String MONO_OF_COROUTINES = "kotlinx.coroutines.reactor.MonoKt";
  private static final String CALLABLES = "kotlin.reflect.full.KCallables";
  private static final String SYNCHRONIZATIONS =
      "org.springframework.transaction.support.TransactionSynchronizationManager";
  private static final String FENCE = "io.lockkeeper.jdbc.SqlFence";
  private static final String CONNECTIONS = "org.springframework.jdbc.datasource.ConnectionHolder";

  /** The types that are looked for by their names. */
  static final List<String> TYPES =
      List.of(FLUX, MONO_OF_COROUTINES, CALLABLES, SYNCHRONIZATIONS, FENCE, CONNECTIONS);

  /** Publishers can be locked. */
  static final boolean REACTOR = has(FLUX);

  /** Suspending functions can be locked: Spring makes publishers of them with these. */
  static final boolean COROUTINES = REACTOR && has(MONO_OF_COROUTINES, CALLABLES);

  /** A lock can be kept until the end of a transaction. */
  static final boolean TRANSACTIONS = has(SYNCHRONIZATIONS);

  /** A database can refuse late writes. */
  static final boolean FENCES = TRANSACTIONS && has(FENCE, CONNECTIONS);

  private Libraries() {}

  private static boolean has(String... types) {
    ClassLoader loader = Libraries.class.getClassLoader();
    return Stream.of(types).allMatch(type -> ClassUtils.isPresent(type, loader));
  }
}
