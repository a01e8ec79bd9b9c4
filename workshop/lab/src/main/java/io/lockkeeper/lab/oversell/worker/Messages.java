package io.lockkeeper.lab.oversell.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Messages as lines of text. */
public final class Messages {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Messages() {}

  /** Returns the message as one line without its end. */
  public static String write(Object message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write " + message.getClass(), e);
    }
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is not a message of this kind
   */
  public static <T> T read(String line, Class<T> kind) {
    try {
      return JSON.readValue(line, kind);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a " + kind.getSimpleName() + " message", e);
    }
  }
}
