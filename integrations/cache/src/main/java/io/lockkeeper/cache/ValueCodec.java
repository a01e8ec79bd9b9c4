package io.lockkeeper.cache;

import java.nio.charset.StandardCharsets;

/**
 * The bytes of values, both ways.
 *
 * @param <V> the values
 */
public interface ValueCodec<V> {

  /** Returns the bytes of a value. */
  byte[] encode(V value);

  /** Returns the value of bytes that {@link #encode} has returned. */
  V decode(byte[] bytes);

  /** Returns the codec of texts, in UTF-8. */
  static ValueCodec<String> utf8() {
    return new ValueCodec<>() {
      @Override
      public byte[] encode(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public String decode(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
      }
    };
  }
}
