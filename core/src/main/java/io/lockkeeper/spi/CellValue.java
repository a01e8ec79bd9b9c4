package io.lockkeeper.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * The value of a cell: immutable bytes. A number is its decimal digits in ASCII, with a minus sign
 * if it is negative and no leading zeros.
 */
public final class CellValue {

  private final byte[] bytes;

  private CellValue(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a copy of these bytes as a value. */
  public static CellValue of(byte[] bytes) {
    return new CellValue(bytes.clone());
  }

  /** Returns a number as a value. */
  public static CellValue of(long number) {
    return new CellValue(Long.toString(number).getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns how many bytes there are. */
  public int size() {
    return bytes.length;
  }

  /**
   * Returns the number that the bytes represent, or empty if they do not represent a number of 64
   * bits.
   */
  public OptionalLong number() {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    try {
      long number = Long.parseLong(text);
      return Long.toString(number).equals(text) ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (NumberFormatException none) {
      return OptionalLong.empty();
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CellValue that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** Returns the length, but not the bytes: those may be a secret. */
  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
