package io.lockkeeper.redis;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Arguments of a Redis command, written as the protocol has them. Not thread-safe. */
final class Request {

  private static final int INITIAL_BYTES = 256;
  private static final int MAX_HEADER_BYTES = 16;

  private byte[] buffer = new byte[INITIAL_BYTES];
  private int size;
  private int count;

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

  /** Returns how many arguments there are. */
  int count() {
    return count;
  }

  /** Returns the arguments, without the head of the array that they are in. */
  byte[] bytes() {
    return Arrays.copyOf(buffer, size);
  }

  /** Writes what {@link #bytes} returns. */
  void writeTo(ByteBuf target) {
    target.writeBytes(buffer, 0, size);
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
