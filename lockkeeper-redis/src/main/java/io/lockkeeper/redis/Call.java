package io.lockkeeper.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script, from the request to the result. It completes its result once, whoever comes
 * first: the reply, a broken connection, or the deadline.
 *
 * @param <R> the result
 */
final class Call<R> extends Command<byte[], byte[], Reply> {

  /** What makes a result out of a reply or its absence. */
  interface Reading<R> {

    /** Returns the result of an answer. */
    R of(Reply reply);

    /** Returns the result of a failure. */
    R of(Failure failure);
  }

  /** Hears that a call is over: its reply is here, or will never be. */
  interface Listener {

    /** The server answered, perhaps with an error. */
    void replied(Call<?> call);

    /** The driver gave up. */
    void broken(Call<?> call, Throwable cause);
  }

  private static final byte[] EOL = {'\r', '\n'};

  final Script script;
  final byte[] key;
  final CompletableFuture<R> result;
  final Reading<R> reading;
  final long deadlineNanos;

  /** How many replicas have it; null if nobody wants to know. */
  final @Nullable CompletableFuture<Long> acknowledged;

  private final Request arguments;
  private final byte[] head;
  private final Listener listener;

  /** When it was sent. */
  private long sentNanos;

  /** How often its script was unknown to the server. */
  private int failures;

  /** Creates a call that names the script, or carries it. */
  Call(
      Script script,
      boolean carried,
      byte[] key,
      Request arguments,
      Reading<R> reading,
      CompletableFuture<R> result,
      @Nullable CompletableFuture<Long> acknowledged,
      long deadlineNanos,
      Listener listener) {
    super(
        carried ? CommandType.EVAL : CommandType.EVALSHA,
        new Reply(),
        new CommandArgs<>(ByteArrayCodec.INSTANCE).addKey(key));
    this.script = script;
    this.head = carried ? script.carriedHead() : script.namedHead();
    this.key = key;
    this.arguments = arguments;
    this.reading = reading;
    this.result = result;
    this.acknowledged = acknowledged;
    this.deadlineNanos = deadlineNanos;
    this.listener = listener;
  }

  /**
   * Returns the same call, to be sent again because the server did not know the script. The scripts
   * are loaded before; should that not help, the call carries its own.
   */
  Call<R> again() {
    boolean carried = failures > 0;
    Call<R> call =
        new Call<>(
            script,
            carried,
            key,
            arguments,
            reading,
            result,
            acknowledged,
            deadlineNanos,
            listener);
    call.failures = failures + 1;
    return call;
  }

  /** Notes that it is sent now. */
  void sending() {
    sentNanos = System.nanoTime();
  }

  /** Returns whether it was sent before this moment. */
  boolean wasSentBefore(long nanos) {
    return sentNanos - nanos < 0;
  }

  /** Returns the key of the resource, or of the first one, for messages. */
  String keyText() {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** Completes the result with a failure. If it has not been written yet it never will be. */
  void fail(Failure failure) {
    if (!result.isDone()) {
      if (!isDone()) {
        status = ST_CANCELLED;
      }
      result.complete(reading.of(failure));
    }
  }

  /** Says how many replicas have it. */
  void acknowledge(long replicas) {
    if (acknowledged != null) {
      acknowledged.complete(replicas);
    }
  }

  /** Returns the error that the server replied, or null. */
  @Nullable String error() {
    return output.hasError() ? output.getError() : null;
  }

  @Override
  public void encode(ByteBuf buffer) {
    buffer.writeByte('*');
    String count = Integer.toString(2 + arguments.count());
    buffer.writeCharSequence(count, StandardCharsets.US_ASCII);
    buffer.writeBytes(EOL);
    buffer.writeBytes(head);
    arguments.writeTo(buffer);
  }

  @Override
  public void complete() {
    super.complete();
    listener.replied(this);
  }

  @Override
  public boolean completeExceptionally(Throwable throwable) {
    super.completeExceptionally(throwable);
    listener.broken(this, throwable);
    return true;
  }

  @Override
  public void cancel() {
    super.cancel();
    listener.broken(this, new CancellationException("cancelled"));
  }
}
