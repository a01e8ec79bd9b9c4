package io.lockkeeper.lab.process;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Duration;

/** Messages as lines of text. */
public final class Messages {

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(Duration.class, ToStringSerializer.instance)
                  .addDeserializer(Duration.class, new Durations()));

  /** Reads durations, which are written as ISO 8601 has them. */
  private static final class Durations extends StdDeserializer<Duration> {

    private static final long serialVersionUID = 1L;

    Durations() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser text, DeserializationContext context)
        throws IOException {
      return Duration.parse(text.getText());
    }
  }

  private Messages() {}

  /** Returns the message as one line without its end. */
  public static String write(Object message) {
    try {
      return JSON.writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write " + message.getClass(), e);
    }
  }

  /** Returns the message as one line, with the name of its type if there are several of a kind. */
  public static <T> String write(T message, Class<T> kind) {
    try {
      return JSON.writerFor(kind).writeValueAsString(message);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write " + message, e);
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
