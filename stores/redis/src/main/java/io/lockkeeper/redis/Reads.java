package io.lockkeeper.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lockkeeper.spi.Outcome;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Commands that read and are sent together. They are answered in their order, so they are over with
 * the last answer, or with the first one that will never come.
 */
final class Reads implements Deadlines.Pending {

  /** The answers. One that is an error has {@link Reply#hasError}. */
  final CompletableFuture<Outcome<List<Reply>>> result = new CompletableFuture<>();

  private final List<Read> commands;
  private final long deadlineNanos;
  private final Function<Throwable, Failure> whyLost;

  /**
   * Creates them.
   *
   * @param requests the commands with their arguments; at least one
   * @param whyLost says why the driver gave one up
   */
  Reads(List<Request> requests, long deadlineNanos, Function<Throwable, Failure> whyLost) {
    this.commands = requests.stream().map(Read::new).toList();
    this.deadlineNanos = deadlineNanos;
    this.whyLost = whyLost;
  }

  List<Read> commands() {
    return commands;
  }

  /** Ends them with a failure. Those that have not been written yet never will be. */
  void fail(Failure failure) {
    if (result.complete(failure.toOutcome())) {
      commands.forEach(Read::cancel);
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

  private void answered(Read read) {
    if (read == commands.get(commands.size() - 1)) {
      result.complete(
          Outcome.answered(commands.stream().map(each -> each.getOutput().get()).toList()));
    }
  }

  /** One of the commands. */
  final class Read extends Command<byte[], byte[], Reply> {

    private static final ProtocolKeyword NAMED_IN_REQUEST = CommandType.HMGET;
    private static final byte[] EOL = {'\r', '\n'};

    private final Request request;

    private Read(Request request) {
      super(NAMED_IN_REQUEST, new Reply(), new CommandArgs<>(ByteArrayCodec.INSTANCE));
      this.request = request;
    }

    @Override
    public void encode(ByteBuf buffer) {
      buffer.writeByte('*');
      buffer.writeCharSequence(Integer.toString(request.count()), StandardCharsets.US_ASCII);
      buffer.writeBytes(EOL);
      request.writeTo(buffer);
    }

    @Override
    public void complete() {
      super.complete();
      answered(this);
    }

    @Override
    public boolean completeExceptionally(Throwable throwable) {
      super.completeExceptionally(throwable);
      fail(whyLost.apply(throwable));
      return true;
    }

    @Override
    public void cancel() {
      super.cancel();
      fail(new Failure.Doubt(new CancellationException("cancelled")));
    }
  }
}
