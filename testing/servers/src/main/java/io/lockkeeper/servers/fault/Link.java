package io.lockkeeper.servers.fault;

import io.lockkeeper.servers.fault.TcpProxy.Direction;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** One connection through the proxy: two sockets and, per direction, a reader and a writer. */
final class Link {

  private static final int BUFFER_BYTES = 64 * 1024;

  /** Bytes and when they were read; no bytes stand for the end of the stream. */
  private record Chunk(ByteBuffer bytes, long readNanos) {

    static Chunk of(byte[] buffer, int count) {
      return new Chunk(ByteBuffer.wrap(Arrays.copyOf(buffer, count)), System.nanoTime());
    }
  }

  private final TcpProxy proxy;
  private final RespFrames frames = new RespFrames();
  private final ZooKeeperFrames requests = new ZooKeeperFrames();
  private final Socket client;
  private final Socket server;

  Link(TcpProxy proxy, Socket client, Socket server) {
    this.proxy = proxy;
    this.client = client;
    this.server = server;
  }

  void start() throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    startPump(client, server, Direction.TO_SERVER);
    startPump(server, client, Direction.TO_CLIENT);
  }

  private void startPump(Socket from, Socket to, Direction direction) {
    BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>();
    TcpProxy.daemon("tcp-proxy-read", () -> read(from, queue));
    TcpProxy.daemon("tcp-proxy-write", () -> write(queue, to, direction));
  }

  private void read(Socket from, BlockingQueue<Chunk> queue) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      int count = from.getInputStream().read(buffer);
      while (count >= 0) {
        queue.add(Chunk.of(buffer, count));
        count = from.getInputStream().read(buffer);
      }
      queue.add(Chunk.of(buffer, 0));
    } catch (IOException broken) {
      queue.add(Chunk.of(buffer, 0));
    }
  }

  private void write(BlockingQueue<Chunk> queue, Socket to, Direction direction) {
    try {
      for (Chunk chunk = queue.take(); chunk.bytes().hasRemaining(); chunk = queue.take()) {
        awaitDelay(chunk.readNanos());
        if (!proxy.swallows(direction)) {
          pass(chunk.bytes().array(), to, direction);
        }
      }
      if (!proxy.swallows(direction)) {
        close();
      }
    } catch (IOException broken) {
      close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pass(byte[] bytes, Socket to, Direction direction) throws IOException {
    if (direction == Direction.TO_SERVER) {
      passRequests(bytes, to);
      return;
    }
    if (!proxy.readsReplies()) {
      to.getOutputStream().write(bytes);
      return;
    }
    for (byte[] frame : frames.take(bytes)) {
      if (RespFrames.isReply(frame) && proxy.losesThisReply()) {
        reset();
        throw new IOException("a reply is lost, and its connection with it");
      }
      if (!proxy.losesPushes() || !RespFrames.isMessage(frame)) {
        to.getOutputStream().write(frame);
      }
    }
  }

  private void passRequests(byte[] bytes, Socket to) throws IOException {
    if (!proxy.readsRequests()) {
      park(System.nanoTime() + proxy.pauseNanos(Optional.empty()));
      to.getOutputStream().write(bytes);
      return;
    }
    for (ZooKeeperFrames.Frame frame : requests.take(bytes)) {
      park(System.nanoTime() + proxy.pauseNanos(frame.kind()));
      ByteBuffer request = frame.bytes();
      to.getOutputStream().write(request.array(), request.arrayOffset(), request.remaining());
    }
  }

  private void awaitDelay(long readNanos) {
    park(readNanos + proxy.delayNanos());
  }

  private static void park(long untilNanos) {
    long left = untilNanos - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = untilNanos - System.nanoTime();
    }
  }

  void close() {
    closeQuietly(client);
    closeQuietly(server);
    proxy.forget(this);
  }

  void reset() {
    reset(client);
    reset(server);
    proxy.forget(this);
  }

  /** Closes a socket so that the other side gets an RST. */
  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException alreadyClosed) {
      // then there is nothing to break
    }
    closeQuietly(socket);
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more in any case.
    }
  }
}
