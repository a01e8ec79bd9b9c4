package io.lockkeeper.quarkus.test;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Failures as they are printed. */
final class StackTraces {

  private StackTraces() {}

  static String text(Object failure) {
    StringWriter text = new StringWriter();
    ((Throwable) failure).printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
