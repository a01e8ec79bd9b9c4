package io.lockkeeper.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The wait for connections to be made, up to one time limit for all of them. What goes wrong is
 * reported with the servers' addresses and never with a password: the driver's own words are only
 * repeated where they come from a server or the operating system.
 */
final class Opening {

  /** The message of the driver if there was no answer to the first command. */
  private static final String CLOSED = "Connection closed prematurely";

  /** The beginning of the system's message if the other end did not read all it was sent. */
  private static final String RESET = "Connection reset";

  private static final String WHY_CLOSED =
      ", with no answer to HELLO: a proxy may not know version 3 of the protocol, or the server may"
          + " want TLS (rediss://) or be stopping";

  /** The end of the answer of a server that is in no cluster. */
  private static final String NO_CLUSTER = "cluster support disabled";

  /** The beginning of the driver's message for an answer of another protocol. */
  private static final String FOREIGN = "Invalid first byte";

  /** The message of the driver if there was no answer to the first bytes. */
  private static final String SILENT = "Connection initialization timed out";

  private static final String WHY_SILENT =
      ": if the server does not use TLS, its URL begins with redis and not with rediss";

  /** The beginning of what Netty says of a failed call of the operating system. */
  private static final Pattern NATIVE_CALL =
      Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

  private final String where;
  private final Duration limit;
  private final long deadlineNanos;
  private final Supplier<@Nullable Throwable> latestRefusal;
  private final TimeSource time;

  /**
   * Begins now.
   *
   * @param where the servers, for messages, without secrets
   * @param latestRefusal how the latest connection ended that a server refused, if that is known
   */
  Opening(
      String where, Duration limit, Supplier<@Nullable Throwable> latestRefusal, TimeSource time) {
    this.time = time;
    this.where = where;
    this.latestRefusal = latestRefusal;
    this.limit = limit;
    this.deadlineNanos = time.nanos() + limit.toNanos();
  }

  String where() {
    return where;
  }

  /** Waits for a step. */
  <T> T await(CompletionStage<T> step) {
    try {
      long left = Math.max(0, deadlineNanos - time.nanos());
      return step.toCompletableFuture().get(left, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new StoreUnavailableException(
          where + " does not answer within " + limit.toMillis() + " ms", null);
    } catch (ExecutionException e) {
      throw failure(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted while connecting to " + where, e);
    }
  }

  /** Returns what to throw for a failure of the driver. */
  RuntimeException failure(Throwable failure) {
    Throwable root = Failure.root(failure);
    Throwable handshake = latestRefusal.get();
    if (root instanceof IllegalStateException && handshake != null) {
      root = Failure.root(handshake); // the driver looked for it only when it was over
    }
    if (root instanceof CompletionException) {
      return new StoreUnavailableException("cannot connect to " + where, null);
    }
    Failure.Refusal refusal = Failure.ofConnecting(where, root);
    if (refusal != null) {
      return new StoreRefusedException(refusal.problem(), refusal.message());
    }
    String said = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    String why = NATIVE_CALL.matcher(said).replaceFirst("");
    if (root instanceof RedisCommandTimeoutException) {
      // The driver names its default, whatever the time was.
      why = "no answer in time" + (where.startsWith("rediss") ? WHY_SILENT : "");
      if (where.startsWith("redis-sentinel")) {
        why = "no answer in time from a Sentinel at these addresses";
      }
    } else if (said.contains(NO_CLUSTER)) {
      why =
          "this is no cluster, which a URL of several hosts means: name one host, or its Sentinels";
    } else if (said.startsWith(FOREIGN)) {
      why = "what answers there is no Redis server";
    } else if (said.startsWith(CLOSED) || (why.startsWith(RESET) && !where.startsWith("rediss"))) {
      why += WHY_CLOSED;
    } else if (where.startsWith("rediss") && said.startsWith(SILENT)) {
      why += WHY_SILENT;
    }
    return new StoreUnavailableException("cannot connect to " + where + ": " + why, root);
  }
}
