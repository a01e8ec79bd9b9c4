package io.lockkeeper.servers.fault;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The bytes of a ZooKeeper client on one connection, cut into requests. Fed from the connection's
 * first byte on.
 */
final class ZooKeeperFrames {

  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int TYPE_AT = LENGTH_BYTES + Integer.BYTES;

  private byte[] rest = new byte[0];
  private boolean connected;

  /** A request with its length before it; the first one is about the session. */
  record Frame(ByteBuffer bytes, Optional<TcpProxy.Request> kind) {}

  /** Takes bytes and returns the requests that are whole now, in order. */
  List<Frame> take(byte[] bytes) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream(rest.length + bytes.length);
    joined.writeBytes(rest);
    joined.writeBytes(bytes);
    byte[] all = joined.toByteArray();
    List<Frame> frames = new ArrayList<>();
    int from = 0;
    while (all.length - from >= LENGTH_BYTES) {
      int end = from + LENGTH_BYTES + ByteBuffer.wrap(all, from, LENGTH_BYTES).getInt();
      if (end > all.length) {
        break;
      }
      ByteBuffer frame = ByteBuffer.wrap(all, from, end - from).slice();
      frames.add(new Frame(frame, connected ? kind(frame) : Optional.empty()));
      connected = true;
      from = end;
    }
    rest = Arrays.copyOfRange(all, from, all.length);
    return frames;
  }

  /** Returns what a request asks for, by the numbers that {@code ZooDefs.OpCode} has for it. */
  private static Optional<TcpProxy.Request> kind(ByteBuffer frame) {
    if (frame.remaining() < TYPE_AT + Integer.BYTES) {
      return Optional.empty();
    }
    return switch (frame.getInt(TYPE_AT)) {
      case 8, 12 -> Optional.of(TcpProxy.Request.LIST);
      case 3, 4, 22 -> Optional.of(TcpProxy.Request.READ);
      case 1, 2, 5, 14, 15, 19, 20, 21 -> Optional.of(TcpProxy.Request.WRITE);
      default -> Optional.empty();
    };
  }
}
