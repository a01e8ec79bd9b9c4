package io.lockkeeper.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Arguments of a Redis command, written as the protocol has them. Not thread-safe. */
final class Request {

  private static final byte[] LINE_END = {'\r', '\n'};
  private static final int INITIAL_BYTES = 256;
  private static final int MAX_HEADER_BYTES = 16;

  private byte[] buffer = new byte[INITIAL_BYTES];
  private int size;
  private int count;
  private @Nullable Limits limits;
  private int limitsAt;

  /** Adds an argument. */
  Request add(byte[] argument) {
    begin(argument.length);
    put(argument);
    return end();
  }

  /** Adds an argument that consists of two parts. */
  Request add(byte[] argument, byte[] suffix) {
    begin(argument.length + suffix.length);
    put(argument);
    put(suffix);
    return end();
  }

  /** Adds an argument. */
  Request add(String argument) {
    return add(argument.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds a number in decimal notation. */
  Request add(long argument) {
    return add(Long.toString(argument).getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Adds the limits as they will be when the request is written. */
  Request add(Limits current) {
    limits = current;
    limitsAt = size;
    count++;
    return this;
  }

  /** Returns how many arguments there are. */
  int count() {
    return count;
  }

  /** Returns the arguments, without the head of the array that they are in. */
  byte[] bytes() {
    return Arrays.copyOf(buffer, size);
  }

  /** Writes the arguments. */
  void writeTo(ByteBuf target) {
    if (limits == null) {
      target.writeBytes(buffer, 0, size);
      return;
    }
    byte[] current = limits.current();
    target.writeBytes(buffer, 0, limitsAt);
    target.writeByte('$').writeBytes(Integer.toString(current.length).getBytes(US_ASCII));
    target.writeBytes(LINE_END).writeBytes(current).writeBytes(LINE_END);
    target.writeBytes(buffer, limitsAt, size - limitsAt);
  }

  private void begin(int length) {
    int needed = size + length + MAX_HEADER_BYTES;
    if (needed > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(needed, 2 * buffer.length));
    }
    buffer[size++] = '$';
    putDecimal(length);
    putLineEnd();
    count++;
  }

  private Request end() {
    putLineEnd();
    return this;
  }

  private void put(byte[] bytes) {
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  private void putDecimal(int number) {
    if (number >= 10) {
      putDecimal(number / 10);
    }
    buffer[size++] = (byte) ('0' + number % 10);
  }

  private void putLineEnd() {
    buffer[size++] = '\r';
    buffer[size++] = '\n';
  }
}
