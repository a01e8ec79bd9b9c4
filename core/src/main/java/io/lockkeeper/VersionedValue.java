package io.lockkeeper;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** The value of a {@link SharedValue} at one moment: bytes, and their version. Immutable. */
public final class VersionedValue {

  private final long version;
  private final byte[] bytes;

  /** Creates a value from a copy of these bytes. */
  public VersionedValue(long version, byte[] bytes) {
    this.version = version;
    this.bytes = Objects.requireNonNull(bytes, "bytes").clone();
  }

  /** Returns the version: larger than that of every earlier value of this name. */
  public long version() {
    return version;
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the bytes as UTF-8 text. */
  public String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VersionedValue that
        && version == that.version
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(version) * 31 + Arrays.hashCode(bytes);
  }

  /** Returns the version and the length, but not the bytes: those may be a secret. */
  @Override
  public String toString() {
    return "version " + version + ", " + bytes.length + " bytes";
  }
}
