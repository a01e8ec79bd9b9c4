package io.lockkeeper.lab.report;

import io.lockkeeper.lab.process.Messages;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Pages of HTML that a script of their own fills with data. */
public final class Html {

  private Html() {}

  /** Returns the file beside a class with data as JSON in the place of <code>${data}</code>. */
  public static String page(Class<?> near, String file, Object data) {
    try (InputStream in = near.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
          .replace("${data}", Messages.write(data).replace("<", "\\u003c"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
