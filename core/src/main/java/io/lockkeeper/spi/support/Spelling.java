package io.lockkeeper.spi.support;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the word that was meant by one with a typing error. */
public final class Spelling {

  /** How many letters may be wrong. */
  private static final int TYPO = 2;

  private Spelling() {}

  /**
   * Returns the known word that is nearest, if not more than two letters are wrong. Capitals, dots,
   * hyphens and underscores do not count.
   */
  public static Optional<String> nearest(String word, Collection<String> known) {
    String letters = letters(word);
    return known.stream()
        .filter(each -> distance(letters(each), letters) <= Math.min(TYPO, letters.length() / 2))
        .min(Comparator.comparing(each -> distance(letters(each), letters)));
  }

  private static String letters(String word) {
    return word.replaceAll("[._-]", "").toLowerCase(Locale.ROOT);
  }

  /** Returns how many letters must be added, taken away, changed or swapped with the next. */
  private static int distance(String one, String other) {
    int[][] rows = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        if (i == 0 || j == 0) {
          rows[i][j] = i + j;
          continue;
        }
        int changed = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        rows[i][j] =
            Math.min(Math.min(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + changed);
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
        }
      }
    }
    return rows[one.length()][other.length()];
  }
}
