package io.lockkeeper.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A connection whose calls are confirmed by replicas.
 *
 * <p>The server's {@code WAIT} says how many replicas have all that was written on the connection
 * before, and lets nothing else pass until it knows. So one is sent for many calls: while it is
 * under way further calls gather here, and then go out together with the next one. A replica that
 * does not answer thus delays every call by at most two time limits, however many there are.
 */
final class Lane {

  private final Consumer<RedisCommand<byte[], byte[], ?>> connection;
  private final int replicas;
  private final long timeoutMillis;
  private final Queue<Call<?>> queue = new ConcurrentLinkedQueue<>();

  /** How many have asked for the queue to be emptied; who finds 0 does it for all the others. */
  private final AtomicInteger pending = new AtomicInteger();

  /** Whether a wait is under way. Set by whoever empties the queue. */
  private volatile boolean waiting;

  Lane(Consumer<RedisCommand<byte[], byte[], ?>> connection, int replicas, Duration timeout) {
    this.connection = connection;
    this.replicas = replicas;
    this.timeoutMillis = timeout.toMillis();
  }

  void send(Call<?> call) {
    queue.add(call);
    drain();
  }

  private void drain() {
    if (pending.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      sendQueued();
      seen = pending.addAndGet(-seen);
    } while (seen != 0);
  }

  private void sendQueued() {
    if (waiting) {
      return;
    }
    List<Call<?>> toConfirm = new ArrayList<>();
    for (Call<?> call = queue.poll(); call != null; call = queue.poll()) {
      if (call.acknowledged != null) {
        toConfirm.add(call);
      }
      connection.accept(call);
    }
    if (!toConfirm.isEmpty()) {
      waiting = true;
      connection.accept(new Wait(toConfirm));
    }
  }

  private void waited(List<Call<?>> calls, long acknowledged) {
    waiting = false;
    for (Call<?> call : calls) {
      call.acknowledge(acknowledged);
    }
    drain();
  }

  /** The question how many replicas have it all. */
  private final class Wait extends Command<byte[], byte[], Long> {

    private final List<Call<?>> calls;

    Wait(List<Call<?>> calls) {
      super(
          CommandType.WAIT,
          new IntegerOutput<>(ByteArrayCodec.INSTANCE),
          new CommandArgs<>(ByteArrayCodec.INSTANCE).add(replicas).add(timeoutMillis));
      this.calls = calls;
    }

    @Override
    public void complete() {
      super.complete();
      Long count = getOutput().hasError() ? null : getOutput().get();
      waited(calls, count == null ? 0 : count);
    }

    @Override
    public boolean completeExceptionally(Throwable throwable) {
      super.completeExceptionally(throwable);
      waited(calls, 0);
      return true;
    }

    @Override
    public void cancel() {
      completeExceptionally(new CancellationException("cancelled"));
    }
  }
}
