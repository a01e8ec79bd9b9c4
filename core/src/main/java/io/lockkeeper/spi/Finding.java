package io.lockkeeper.spi;

import java.util.Objects;

/**
 * One finding of a {@link StoreDoctor} about a store.
 *
 * @param verdict whether promises hold
 * @param subject what was examined, in a few words, such as {@code eviction}
 * @param found what was found, without any secret
 * @param advice what to do about it; empty if nothing needs to be done
 */
public record Finding(Verdict verdict, String subject, String found, String advice) {

  /** The verdict of a finding. */
  public enum Verdict {
    /** The promises hold. */
    OK,
    /** The promises hold for now, or not in every case. */
    WARN,
    /** A promise does not hold. */
    FAIL
  }

  /** Checks that a finding other than {@link Verdict#OK} has advice. */
  public Finding {
    Objects.requireNonNull(found, "found");
    if (verdict != Verdict.OK && advice.isEmpty()) {
      throw new IllegalArgumentException("no advice about " + subject);
    }
  }

  /** Returns a finding with the verdict {@link Verdict#OK}. */
  public static Finding ok(String subject, String found) {
    return new Finding(Verdict.OK, subject, found, "");
  }

  /** Returns a finding with the verdict {@link Verdict#WARN}. */
  public static Finding warn(String subject, String found, String advice) {
    return new Finding(Verdict.WARN, subject, found, advice);
  }

  /** Returns a finding with the verdict {@link Verdict#FAIL}. */
  public static Finding fail(String subject, String found, String advice) {
    return new Finding(Verdict.FAIL, subject, found, advice);
  }
}
