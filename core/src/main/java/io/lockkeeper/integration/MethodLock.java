package io.lockkeeper.integration;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.HeldLease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.support.DurationText;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lock that an annotation puts around a method, for the interceptor of a framework. It behaves
 * as {@code Locked} of {@code lockkeeper-spring} does by default: the thread owns the lock and may
 * take it again, a {@link CompletionStage} keeps it until it is complete, and the lease is renewed
 * meanwhile. Immutable and thread-safe.
 */
public final class MethodLock {

  /** Results that complete later, and whose end is not observed here. */
  private static final List<String> LATER =
      List.of(
          "java.util.concurrent.Callable",
          "java.util.concurrent.Flow$Publisher",
          "org.reactivestreams.Publisher",
          "io.smallrye.mutiny.Uni",
          "io.smallrye.mutiny.Multi",
          "kotlinx.coroutines.flow.Flow");

  /** The parameter that tells a suspending function of Kotlin from others. */
  private static final String SUSPENDING = "kotlin.coroutines.Continuation";

  private final String method;
  private final NameTemplate name;
  private final AcquireOptions options;
  private final OnFailure onFailure;
  private final Class<?> result;

  private MethodLock(
      String method,
      NameTemplate name,
      AcquireOptions options,
      OnFailure onFailure,
      Class<?> result) {
    this.method = method;
    this.name = name;
    this.options = options;
    this.onFailure = onFailure;
    this.result = result;
  }

  /**
   * Reads what an annotation says.
   *
   * @param type the class that declares the method
   * @param method the name of the method, which with that of the class is the name of the lock if
   *     {@code name} is empty: {@code StockService.deduct}
   * @param name the name, in which {@code {sku}} stands for the argument of the parameter {@code
   *     sku}
   * @param wait the limit on the wait as text, such as {@code 500ms}; empty for none
   * @param lease the fixed time for which to hold as text; if empty, the lease is renewed
   * @param onFailure the action if the wait is over without the lock
   * @param parameters the names of the parameters
   * @param types the types of the parameters
   * @param result the type that the method returns
   * @throws IllegalStateException if the annotation cannot be meant; the message names the method
   */
  public static MethodLock of(
      Class<?> type,
      String method,
      String name,
      String wait,
      String lease,
      OnFailure onFailure,
      List<String> parameters,
      List<? extends Class<?>> types,
      Class<?> result) {
    String qualified =
        type.getName()
                .substring(type.getPackageName().length())
                .replaceFirst("^\\.", "")
                .replace('$', '.')
            + "."
            + method;
    try {
      boolean isStage = CompletionStage.class.isAssignableFrom(result);
      if (isStage && !result.isAssignableFrom(CompletableFuture.class)) {
        throw new IllegalArgumentException("must return CompletionStage or CompletableFuture");
      }
      if (!isStage && completesLater(result)) {
        throw new IllegalArgumentException(
            "returns a "
                + result.getSimpleName()
                + ", before whose end the lock would be released: return a CompletionStage, or use"
                + " a lock's acquireAsync()");
      }
      if (types.stream().anyMatch(each -> each.getName().equals(SUSPENDING))) {
        throw new IllegalArgumentException(
            "is a suspending function: use withLease of lockkeeper-kotlin");
      }
      AcquireOptions options = AcquireOptions.defaults();
      if (!wait.isBlank()) {
        options = options.withWait(duration("waitTime", wait));
      }
      if (!lease.isBlank()) {
        options = options.withFixedLease(duration("leaseTime", lease));
      }
      NameTemplate template = new NameTemplate(name.isBlank() ? qualified : name, parameters);
      return new MethodLock(qualified, template, options, onFailure, result);
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException("@Locked method " + qualified + " " + e.getMessage(), e);
    }
  }

  private static Duration duration(String what, String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "has the " + what + " '" + text + "', which " + e.getMessage(), e);
    }
  }

  private static boolean completesLater(Class<?> type) {
    if (Future.class.isAssignableFrom(type) || LATER.contains(type.getName())) {
      return true;
    }
    return (type.getSuperclass() != null && completesLater(type.getSuperclass()))
        || List.of(type.getInterfaces()).stream().anyMatch(MethodLock::completesLater);
  }

  /**
   * Takes the lock, calls the method and releases the lock. What the method throws is thrown on,
   * with a failure of the release, such as a loss, suppressed in it.
   *
   * @param keeper the client
   * @param arguments the arguments of the call
   * @param body the method
   * @param <E> what the method throws
   * @return what the method returns, or {@link #skipped} if it did not get the lock in time
   * @throws E what the method throws
   * @throws AcquireTimeoutException if it did not get the lock in time and is not skipped
   * @throws LockInterruptedException if interrupted while waiting
   * @throws io.lockkeeper.LeaseLostException if the lease was lost while the method ran
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   */
  public <E extends Exception> @Nullable Object call(
      Lockkeeper keeper, @Nullable Object[] arguments, LeaseLock.Task<@Nullable Object, E> body)
      throws E {
    String lockName = name.name(arguments);
    DistributedLock lock = keeper.lock(lockName);
    HeldLease lease = null;
    try {
      if (CompletionStage.class.isAssignableFrom(result)) {
        lease = lock.acquire(options);
      } else if (!lock.tryLock(options)) {
        throw notInTime(keeper, List.of(lockName), options);
      }
    } catch (AcquireTimeoutException e) {
      if (onFailure == OnFailure.SKIP) {
        return skipped(result);
      }
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException("interrupted while waiting for " + lockName, e);
    }
    return lease == null ? value(lock, body) : stage(lease, body);
  }

  private static <E extends Exception> @Nullable Object value(
      DistributedLock lock, LeaseLock.Task<@Nullable Object, E> body) throws E {
    Object value;
    try {
      value = body.call();
    } catch (Throwable failure) {
      releaseAfter(failure, lock::unlock);
      throw failure;
    }
    lock.unlock();
    return value;
  }

  private <E extends Exception> CompletionStage<@Nullable Object> stage(
      HeldLease lease, LeaseLock.Task<@Nullable Object, E> body) throws E {
    CompletionStage<?> stage;
    try {
      stage = (CompletionStage<?>) body.call();
      if (stage == null) {
        throw new IllegalStateException(
            "@Locked method " + method + " has returned null instead of a stage");
      }
    } catch (Throwable failure) {
      releaseAfter(failure, lease::release);
      throw failure;
    }
    CompletableFuture<@Nullable Object> all = new CompletableFuture<>();
    var unused =
        stage.whenComplete(
            (value, thrown) -> {
              try {
                if (thrown != null) {
                  Throwable failure =
                      thrown instanceof CompletionException && thrown.getCause() != null
                          ? thrown.getCause()
                          : thrown;
                  releaseAfter(failure, lease::release);
                  all.completeExceptionally(failure);
                } else {
                  lease.release();
                  all.complete(value);
                }
              } catch (Throwable failure) {
                all.completeExceptionally(failure);
              }
            });
    var unusedToo =
        all.whenComplete(
            (value, thrown) -> {
              if (all.isCancelled()) {
                stage.toCompletableFuture().cancel(true);
              }
            });
    return all;
  }

  private static void releaseAfter(Throwable failure, Runnable release) {
    try {
      release.run();
    } catch (Throwable more) {
      failure.addSuppressed(more);
    }
  }

  /** Returns the failure of a wait that is over without these locks. */
  public static AcquireTimeoutException notInTime(
      Lockkeeper keeper, List<String> names, AcquireOptions options) {
    return new AcquireTimeoutException(
        names.stream().collect(Collectors.joining("', '", "'", "'"))
            + " was not granted within "
            + DurationText.of(options.maxWait().orElse(Duration.ZERO))
            + keeper.admin().quarantine().map(why -> ": " + why.message()).orElse(""));
  }

  /**
   * Returns the result of a method that is skipped, by its type: {@code null}, zero, false, an
   * empty {@code Optional}, or a stage that is complete with {@code null}.
   */
  public static @Nullable Object skipped(Class<?> type) {
    if (type.isPrimitive() && type != void.class) {
      return Array.get(Array.newInstance(type, 1), 0);
    }
    if (type == Optional.class) {
      return Optional.empty();
    }
    return CompletionStage.class.isAssignableFrom(type)
        ? CompletableFuture.completedFuture(null)
        : null;
  }
}
