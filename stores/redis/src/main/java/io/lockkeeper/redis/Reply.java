package io.lockkeeper.redis;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a script: numbers and texts, read one after the other. Arrays in arrays count as
 * one array: what a script answers says by itself how long it is. An array of one element may come
 * as that element.
 */
final class Reply extends CommandOutput<byte[], byte[], Reply> {

  private long[] numbers = new long[12];
  private byte @Nullable [] @Nullable [] texts;
  private int size;
  private int position;

  @SuppressWarnings("NullAway") // The driver's base class has no value for this kind of output.
  Reply() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public Reply get() {
    return this;
  }

  @Override
  public void set(long integer) {
    grow();
    numbers[size++] = integer;
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    grow();
    if (texts == null) {
      texts = new byte[numbers.length][];
    }
    texts[size++] = bytes == null ? null : copy(bytes);
  }

  /** Takes the words of a text for the answer, as numbers, if that text is all of it. */
  void spread() {
    if (size != 1 || position != 0 || !nextIsText()) {
      return;
    }
    String text = nextText();
    texts = null;
    size = 0;
    position = 0;
    int begin = 0;
    for (int end = text.indexOf(' '); end >= 0; end = text.indexOf(' ', begin)) {
      set(Long.parseLong(text, begin, end, 10));
      begin = end + 1;
    }
    set(Long.parseLong(text, begin, text.length(), 10));
  }

  /** Returns the next element, which is a number. */
  long nextNumber() {
    if (position >= size || nextIsText()) {
      throw unexpected();
    }
    return numbers[position++];
  }

  /** Returns whether the next element is this number, and is then behind it. */
  boolean nextIs(long number) {
    boolean isIt = position < size && !nextIsText() && numbers[position] == number;
    position += isIt ? 1 : 0;
    return isIt;
  }

  /** Returns the next element, which is a number that stands for yes (1) or no (0). */
  boolean nextFlag() {
    long number = nextNumber();
    if (number != 0 && number != 1) {
      throw unexpected();
    }
    return number == 1;
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  /** Returns whether the next element is a text. */
  boolean nextIsText() {
    return texts != null && position < size && texts[position] != null;
  }

  /** Returns the next element, which is a text. */
  String nextText() {
    return new String(nextBytes(), StandardCharsets.UTF_8);
  }

  /** Returns the next element, which is a text or nothing. */
  @Nullable String nextTextIfAny() {
    if (nextIsText()) {
      return nextText();
    }
    nextNumber();
    return null;
  }

  /** Returns how many elements there are. */
  int size() {
    return size;
  }

  /** Returns the next element, which is bytes. */
  byte[] nextBytes() {
    byte[] text = texts == null || position >= size ? null : texts[position];
    if (text == null) {
      throw unexpected();
    }
    position++;
    return text;
  }

  private IllegalStateException unexpected() {
    return new IllegalStateException(
        "element " + position + " of " + size + " in a script's answer is not what it should be");
  }

  private void grow() {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, 2 * size);
      if (texts != null) {
        texts = Arrays.copyOf(texts, 2 * size);
      }
    }
  }
}
