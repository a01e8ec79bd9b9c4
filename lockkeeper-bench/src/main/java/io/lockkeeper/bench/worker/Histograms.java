package io.lockkeeper.bench.worker;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, exact to one percent, and their form on the wire. */
public final class Histograms {

  private static final long ONE_HOUR_NANOS = 3_600_000_000_000L;
  private static final int SIGNIFICANT_DIGITS = 2;

  private Histograms() {}

  /** Returns an empty histogram. */
  public static Histogram create() {
    return new Histogram(ONE_HOUR_NANOS, SIGNIFICANT_DIGITS);
  }

  /** Returns the histogram as text. */
  static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_SPEED);
    byte[] bytes = new byte[length];
    buffer.rewind();
    buffer.get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Returns the histogram that {@link #encode} made this text from. */
  public static Histogram decode(String text) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return Histogram.decodeFromCompressedByteBuffer(buffer, ONE_HOUR_NANOS);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not an encoded histogram", e);
    }
  }
}
