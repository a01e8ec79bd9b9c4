package io.lockkeeper.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a script, from the request to the result. It completes its result once, whichever
 * comes first: the reply, a broken connection, or the deadline.
 *
 * @param <R> the result
 */
final class Call<R> extends Command<byte[], byte[], Reply> implements Deadlines.Pending {

  /** Makes a result out of a reply or its absence. */
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
  private static final int MOST_REDIRECTIONS = 5;

  final Script script;
  final byte[] key;
  final CompletableFuture<R> result;
  final Reading<R> reading;

  /** How many replicas have it; null if nobody wants to know. */
  final @Nullable CompletableFuture<Long> acknowledged;

  private final long deadlineNanos;
  private final Request arguments;

  /** Make arguments with fewer keys, to be tried while the others may be on another server. */
  private final List<Supplier<Request>> fewerKeys;

  private final byte[] head;
  private final Listener listener;

  /** When it was sent. */
  private long sentNanos;

  /** How often its script was unknown to the server. */
  private int failures;

  /** How often a server said that another one has the key for the time being. */
  private int redirections;

  /** Whether it goes to a server that its key is only on its way to. */
  private boolean asking;

  /** Whether it may have reached a server. */
  private volatile boolean isWritten;

  /** Whether it was not run and is sent again in another form. Set and read where replies come. */
  private volatile boolean isReplaced;

  /** Creates a call that names the script, or carries it. */
  Call(
      Script script,
      boolean carried,
      byte[] key,
      Request arguments,
      List<Supplier<Request>> fewerKeys,
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
    this.fewerKeys = fewerKeys;
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
    Call<R> call = copy(failures > 0, arguments, fewerKeys);
    call.failures = failures + 1;
    return call;
  }

  /**
   * Returns the same call with fewer keys, to be sent because the server did not have all of them;
   * null if it cannot do with fewer.
   */
  @Nullable Call<R> withFewerKeys() {
    return fewerKeys.isEmpty()
        ? null
        : copy(false, fewerKeys.get(0).get(), fewerKeys.subList(1, fewerKeys.size()));
  }

  /**
   * Returns the same call for the server that another one has named; null if that goes on and on.
   *
   * @param onTheWay whether its keys are only on their way there
   */
  @Nullable Call<R> redirected(boolean onTheWay) {
    if (redirections == MOST_REDIRECTIONS) {
      return null;
    }
    Call<R> call = copy(failures > 0, arguments, fewerKeys);
    call.redirections++;
    call.asking = onTheWay;
    return call;
  }

  private Call<R> copy(
      boolean carried, Request sameArguments, List<Supplier<Request>> sameFewerKeys) {
    Call<R> call =
        new Call<>(
            script,
            carried,
            key,
            sameArguments,
            sameFewerKeys,
            reading,
            result,
            acknowledged,
            deadlineNanos,
            listener);
    call.failures = failures;
    call.redirections = redirections;
    isReplaced = true;
    return call;
  }

  /** Returns whether it goes to a server that its key is only on its way to. */
  boolean isAsking() {
    return asking;
  }

  /** Notes when it is sent. */
  void sending(long nowNanos) {
    sentNanos = nowNanos;
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

  @Override
  public long deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public boolean isOver() {
    return result.isDone();
  }

  /**
   * The confirmation of a call by replicas, from the reply on.
   *
   * @param call the call
   * @param acknowledged what it says
   * @param deadlineNanos until when
   */
  record Confirmation(Call<?> call, CompletableFuture<Long> acknowledged, long deadlineNanos)
      implements Deadlines.Pending {

    @Override
    public boolean isOver() {
      return acknowledged.isDone();
    }
  }

  /**
   * Says how many replicas have it. What they have of a call that was not run, and is sent again in
   * another form, says nothing about that one.
   */
  void acknowledge(long replicas) {
    if (acknowledged != null && !isReplaced) {
      acknowledged.complete(replicas);
    }
  }

  /** Returns the error that the server replied, or null. */
  @Nullable String error() {
    return output.hasError() ? output.getError() : null;
  }

  /** Returns whether it may have reached a server. */
  boolean isWritten() {
    return isWritten;
  }

  @Override
  public void encode(ByteBuf buffer) {
    isWritten = true;
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
