package io.lockkeeper.lab.report;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Histograms of nanoseconds, to an hour and three digits, and their form on the wire. */
public final class Histograms {

  private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
  private static final int DIGITS = 3;

  private Histograms() {}

  public static Histogram create() {
    return new Histogram(LONGEST, DIGITS);
  }

  /** Counts a time; one beyond the range counts as the longest. */
  public static void record(Histogram waits, long nanos) {
    waits.recordValue(Math.min(nanos, LONGEST));
  }

  public static String encode(Histogram waits) {
    ByteBuffer buffer = ByteBuffer.allocate(waits.getNeededByteBufferCapacity());
    int length = waits.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  /** Reads what {@link #encode} wrote. */
  public static Histogram decode(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), LONGEST);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not a histogram", e);
    }
  }
}
