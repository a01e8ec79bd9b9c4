package io.lockkeeper.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.PubSubOutput;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * A command that prepares a connection. The driver's own methods for these commands are in an
 * interface that takes long to load.
 *
 * @param <T> what it answers
 */
final class SetupCall<T> extends Command<byte[], byte[], T> {

  final CompletableFuture<T> result = new CompletableFuture<>();

  private SetupCall(
      CommandType type,
      CommandOutput<byte[], byte[], T> output,
      CommandArgs<byte[], byte[]> arguments) {
    super(type, output, arguments);
  }

  /** Loads a script into the server; answers its name. */
  static SetupCall<String> load(Script script) {
    return new SetupCall<>(
        CommandType.SCRIPT,
        new StatusOutput<>(ByteArrayCodec.INSTANCE),
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add("LOAD").add(script.text()));
  }

  /**
   * Brings the server's mark up to date; answers what is to be known about the server.
   *
   * @param carried whether to send the whole script
   */
  static SetupCall<Reply> greet(byte[] mark, String clientId, Limits limits, boolean carried) {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    return new SetupCall<>(
        carried ? CommandType.EVAL : CommandType.EVALSHA,
        new Reply(),
        (carried ? arguments.add(Script.GREET.text()) : arguments.add(Script.GREET.sha()))
            .add(1)
            .addKey(mark)
            .add(clientId)
            .add(limits.introduction()));
  }

  /** Writes something under a key for a while. */
  static SetupCall<String> set(byte[] key, byte[] value, long keepMillis) {
    return new SetupCall<>(
        CommandType.SET,
        new StatusOutput<>(ByteArrayCodec.INSTANCE),
        new CommandArgs<>(ByteArrayCodec.INSTANCE)
            .addKey(key)
            .add(value)
            .add("PX")
            .add(keepMillis));
  }

  /** Asks for something that is answered with a text, such as {@code INFO}. */
  static SetupCall<String> text(CommandType type, String... arguments) {
    return new SetupCall<>(type, new StatusOutput<>(ByteArrayCodec.INSTANCE), words(arguments));
  }

  /** Asks for something that is answered with several values, such as {@code TIME}. */
  static SetupCall<List<byte[]>> values(CommandType type, String... arguments) {
    return new SetupCall<>(type, new ValueListOutput<>(ByteArrayCodec.INSTANCE), words(arguments));
  }

  private static CommandArgs<byte[], byte[]> words(String... words) {
    CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    for (String word : words) {
      arguments.add(word);
    }
    return arguments;
  }

  /** Hears a channel. */
  static SetupCall<byte[]> subscribe(byte[] channel) {
    return new SetupCall<>(
        CommandType.SUBSCRIBE,
        new PubSubOutput<>(ByteArrayCodec.INSTANCE),
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add(channel)); // not a key: it has no slot
  }

  /** Publishes something on a channel. */
  static SetupCall<Reply> publish(byte[] channel, byte[] message) {
    return new SetupCall<>(
        CommandType.PUBLISH,
        new Reply(),
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add(channel).add(message));
  }

  /** Waits for no replica. */
  static SetupCall<Reply> waitForNone() {
    return new SetupCall<>(CommandType.WAIT, new Reply(), words("0", "0"));
  }

  @Override
  public void complete() {
    super.complete();
    if (getOutput().hasError()) {
      result.completeExceptionally(new RedisCommandExecutionException(getOutput().getError()));
    } else {
      result.complete(getOutput().get());
    }
  }

  @Override
  public boolean completeExceptionally(Throwable throwable) {
    super.completeExceptionally(throwable);
    return result.completeExceptionally(throwable);
  }

  @Override
  public void cancel() {
    completeExceptionally(new CancellationException("cancelled"));
  }
}
