package io.lockkeeper.engine.policy;

import io.lockkeeper.spi.ClaimRequest;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks the names that users choose, and makes names for people. */
public final class Names {

  private static final int MAX_BYTES = 512;
  private static final int MAX_LABEL_BYTES = ClaimRequest.MAX_LABEL_BYTES;

  private Names() {}

  /**
   * Returns {@code name} if it is 1 to 512 bytes of UTF-8 without control characters.
   *
   * @param what what is being named, for the message
   * @throws IllegalArgumentException if it is not
   */
  public static String check(String what, String name) {
    Objects.requireNonNull(name, what);
    if (name.isEmpty()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
    for (int i = 0; i < name.length(); i++) {
      if (Character.isISOControl(name.charAt(i))) {
        throw new IllegalArgumentException(
            "%s must not contain control characters, has U+%04X at index %d"
                .formatted(what, (int) name.charAt(i), i));
      }
    }
    int bytes = utf8Length(what, name);
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          what + " must be at most " + MAX_BYTES + " bytes of UTF-8, has " + bytes);
    }
    return name;
  }

  private static int utf8Length(String what, String name) {
    int bytes = 0;
    for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
      int c = name.codePointAt(i);
      if (isHalf(c)) {
        throw new IllegalArgumentException(
            what + " must be valid Unicode, has half a surrogate pair at index " + i);
      }
      bytes += utf8Bytes(c);
    }
    return bytes;
  }

  private static int utf8Bytes(int c) {
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  }

  private static boolean isHalf(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  /** Returns this process's name for people: host and process id. */
  public static String defaultClientName() {
    return host() + "/" + ProcessHandle.current().pid();
  }

  /** Returns the name of the host, as far as it is known here. */
  public static String host() {
    String host = System.getenv("HOSTNAME");
    if (host == null || host.isEmpty()) {
      try {
        host = java.net.InetAddress.getLocalHost().getHostName();
      } catch (java.net.UnknownHostException e) {
        host = "unknown-host";
      }
    }
    return host;
  }

  /** Returns a thread's name as a label; an empty one for no thread. */
  public static String label(@Nullable Thread thread) {
    if (thread == null) {
      return "";
    }
    String name = thread.getName();
    return label(name.isEmpty() ? "#" + thread.getId() : name);
  }

  /** Returns a text as a label: without control characters, and not too long. */
  static String label(String text) {
    StringBuilder label = new StringBuilder(Math.min(text.length(), MAX_LABEL_BYTES));
    int bytes = 0;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      int c = printable(text.codePointAt(i));
      bytes += utf8Bytes(c);
      if (bytes > MAX_LABEL_BYTES) {
        break;
      }
      label.appendCodePoint(c);
    }
    return label.toString();
  }

  private static int printable(int c) {
    return isHalf(c) || Character.isISOControl(c) ? '?' : c;
  }
}
