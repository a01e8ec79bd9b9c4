package io.lockkeeper.spi;

import java.util.Objects;

/**
 * One thing that a {@link StoreDoctor} has found out about a store.
 *
 * @param verdict how good it is
 * @param subject what was looked at, in a few words, such as {@code eviction}
 * @param found what is the case, without any secret
 * @param advice what to do about it; empty if all is well
 */
public record Finding(Verdict verdict, String subject, String found, String advice) {

  /** How good it is. */
  public enum Verdict {
    /** What is promised holds. */
    OK,
    /** It holds for now, or not in every case. */
    WARN,
    /** Something that is promised does not hold. */
    FAIL
  }

  /** Checks that a finding that is not good says what to do. */
  public Finding {
    Objects.requireNonNull(found, "found");
    if (verdict != Verdict.OK && advice.isEmpty()) {
      throw new IllegalArgumentException("no advice about " + subject);
    }
  }

  /** All is well. */
  public static Finding ok(String subject, String found) {
    return new Finding(Verdict.OK, subject, found, "");
  }

  /** Something may go wrong. */
  public static Finding warn(String subject, String found, String advice) {
    return new Finding(Verdict.WARN, subject, found, advice);
  }

  /** Something is wrong. */
  public static Finding fail(String subject, String found, String advice) {
    return new Finding(Verdict.FAIL, subject, found, advice);
  }
}
