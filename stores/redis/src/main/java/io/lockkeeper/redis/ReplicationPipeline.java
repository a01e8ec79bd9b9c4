package io.lockkeeper.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose calls are confirmed by replicas.
 *
 * <p>The server's {@code WAIT} says how many replicas have all that was written on the connection
 * before, and lets nothing else pass until it knows. So one is sent for many calls: while it is
 * under way further calls gather here, and then go out together with the next one. A replica that
 * does not answer thus delays every call by at most two time limits, however many there are.
 *
 * <p>A wait only counts if the connection has not been lost since before the first of its calls was
 * sent: on another one, which may lead to another server, it would speak of other writes.
 */
final class ReplicationPipeline {

  private static final Logger LOG = System.getLogger("io.lockkeeper.redis");

  private final Supplier<@Nullable Wire> wires;
  private final int replicas;
  private final long timeoutMillis;
  private final Queue<Item> queue = new ConcurrentLinkedQueue<>();

  /**
   * The calls that are sent in one go.
   *
   * @param commands the commands; the last one fails if they cannot be sent
   * @param toConfirm the call that replicas must confirm; null if there is none
   */
  private record Item(
      List<? extends RedisCommand<byte[], byte[], ?>> commands, @Nullable Call<?> toConfirm) {}

  /** How many have asked for the queue to be emptied; who finds 0 does it for all the others. */
  private final AtomicInteger pending = new AtomicInteger();

  /** Whether a wait is under way. Set by the thread that empties the queue. */
  private volatile boolean waiting;

  /**
   * Creates a lane.
   *
   * @param wires returns the connection, or null if there is none yet
   */
  ReplicationPipeline(Supplier<@Nullable Wire> wires, Replication replication) {
    this.wires = wires;
    this.replicas = replication.replicas();
    this.timeoutMillis = replication.timeout().toMillis();
  }

  void send(Call<?> call) {
    queue.add(
        new Item(
            call.isAsking() ? List.of(asking(), call) : List.of(call),
            call.acknowledged == null ? null : call));
    drain();
  }

  /** Sends commands that read, behind the calls that were sent before. */
  void send(Reads reads) {
    queue.add(new Item(reads.commands(), null));
    drain();
  }

  private void drain() {
    if (pending.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      try {
        sendQueued();
      } catch (Throwable failure) { // an error too: the next calls are to be sent
        LOG.log(Level.WARNING, "calls were not sent; their time limits end them", failure);
      }
      seen = pending.addAndGet(-seen);
    } while (seen != 0);
  }

  private void sendQueued() {
    if (waiting) {
      return;
    }
    @Nullable Wire wire = wires.get();
    int losses = wire == null ? 0 : wire.losses(); // before anything is sent
    List<Call<?>> toConfirm = new ArrayList<>();
    for (Item item = queue.poll(); item != null; item = queue.poll()) {
      if (item.toConfirm != null) {
        toConfirm.add(item.toConfirm);
      }
      send(wire, item.commands);
    }
    if (!toConfirm.isEmpty()) {
      Wait wait = new Wait(toConfirm, wire, losses);
      waiting = true;
      send(wire, List.of(wait));
    }
  }

  /** Sends commands of which the last one is to be answered; it fails if that is not possible. */
  private static void send(
      @Nullable Wire wire, List<? extends RedisCommand<byte[], byte[], ?>> commands) {
    RedisCommand<?, ?, ?> last = commands.get(commands.size() - 1);
    if (wire == null) {
      last.completeExceptionally(new RedisException("not connected to the node yet"));
      return;
    }
    try {
      wire.send(commands);
    } catch (Throwable refused) { // an error too: the next calls are to be sent
      last.completeExceptionally(refused);
    }
  }

  /** Makes a server run the next command on keys that are on their way to it. */
  private static RedisCommand<byte[], byte[], ?> asking() {
    return new Command<>(
        CommandType.ASKING,
        new StatusOutput<>(ByteArrayCodec.INSTANCE),
        new CommandArgs<>(ByteArrayCodec.INSTANCE));
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
    private final @Nullable Wire wire;
    private final int losses;

    Wait(List<Call<?>> calls, @Nullable Wire wire, int losses) {
      super(
          CommandType.WAIT,
          new IntegerOutput<>(ByteArrayCodec.INSTANCE),
          new CommandArgs<>(ByteArrayCodec.INSTANCE).add(replicas).add(timeoutMillis));
      this.calls = calls;
      this.wire = wire;
      this.losses = losses;
    }

    @Override
    public void complete() {
      super.complete();
      Long count = getOutput().hasError() ? null : getOutput().get();
      boolean isOfTheseCalls = wire != null && wire.losses() == losses;
      waited(calls, count == null || !isOfTheseCalls ? 0 : count);
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
