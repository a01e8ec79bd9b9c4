package io.lockkeeper.console;

import java.util.regex.Pattern;

/** Keeps passwords out of everything that is printed or written to a report. */
public final class Secrets {

  /** User and password of any URL in the text: up to the last at sign before a blank or a quote. */
  private static final Pattern USER_INFO = Pattern.compile("(://)[^\\s'\"]*@");

  private static final Pattern PARAMETER =
      Pattern.compile("(?i)([?&;][^=&;\\s'\"]*(?:pass|auth|secret)[^=&;\\s'\"]*=)[^&;\\s'\"]*");

  private Secrets() {}

  /** Returns the text with the secrets of all URLs in it replaced by {@code ***}. */
  public static String hide(String text) {
    return PARAMETER.matcher(USER_INFO.matcher(text).replaceAll("$1***@")).replaceAll("$1***");
  }

  /** Returns the message of a failure, without secrets. */
  public static String messageOf(Throwable failure) {
    return hide(String.valueOf(failure.getMessage()));
  }
}
