package io.lockkeeper.servers.fault;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of a Redis server on one connection, cut into replies and pushes. Versions 2 and 3 of
 * the protocol are alike as far as that goes. Fed from the connection's first byte on.
 */
final class RespFrames {

  private static final int UNFINISHED = -1;

  /** How a message to a subscriber begins, in version 3 and in version 2. */
  private static final List<byte[]> MESSAGES =
      List.of(ascii(">3\r\n$7\r\nmessage\r\n"), ascii("*3\r\n$7\r\nmessage\r\n"));

  private byte[] rest = new byte[0];

  /** Takes bytes and returns the frames that are whole now, in order. */
  List<byte[]> take(byte[] bytes) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream(rest.length + bytes.length);
    joined.writeBytes(rest);
    joined.writeBytes(bytes);
    byte[] all = joined.toByteArray();
    List<byte[]> frames = new ArrayList<>();
    int from = 0;
    for (int end = end(all, 0); end != UNFINISHED; end = end(all, from)) {
      frames.add(Arrays.copyOfRange(all, from, end));
      from = end;
    }
    rest = Arrays.copyOfRange(all, from, all.length);
    return frames;
  }

  /** Returns whether a frame is a message to a subscriber, and not an answer to anything. */
  static boolean isMessage(byte[] frame) {
    return MESSAGES.stream()
        .anyMatch(
            head ->
                frame.length > head.length
                    && Arrays.equals(frame, 0, head.length, head, 0, head.length));
  }

  /** Returns whether a frame is a reply, and nothing that the server sends by itself. */
  static boolean isReply(byte[] frame) {
    return frame[0] != '>' && !isMessage(frame);
  }

  private static int end(byte[] bytes, int from) {
    int line = lineEnd(bytes, from);
    if (line == UNFINISHED) {
      return UNFINISHED;
    }
    return switch (bytes[from]) {
      case '$', '=', '!' -> {
        long length = number(bytes, from, line);
        yield length < 0 ? line : within(bytes, line + length + 2);
      }
      case '*', '~', '>' -> elements(bytes, line, number(bytes, from, line));
      case '%' -> elements(bytes, line, 2 * number(bytes, from, line));
      // Attributes, and the reply that has them.
      case '|' -> elements(bytes, line, 2 * number(bytes, from, line) + 1);
      default -> line;
    };
  }

  private static int elements(byte[] bytes, int from, long count) {
    int end = from;
    for (long i = 0; i < count && end != UNFINISHED; i++) {
      end = end(bytes, end);
    }
    return end;
  }

  private static int within(byte[] bytes, long end) {
    return end <= bytes.length ? (int) end : UNFINISHED;
  }

  private static int lineEnd(byte[] bytes, int from) {
    for (int i = from; i + 1 < bytes.length; i++) {
      if (bytes[i] == '\r' && bytes[i + 1] == '\n') {
        return i + 2;
      }
    }
    return UNFINISHED;
  }

  private static long number(byte[] bytes, int from, int lineEnd) {
    return Long.parseLong(
        new String(bytes, from + 1, lineEnd - from - 3, StandardCharsets.US_ASCII));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
