package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Function;

/**
 * URLs with slips of the hand in them: whatever they make of a URL, it is read or refused with a
 * message, and the password in it is not told.
 */
public final class FuzzedUrls {

  /** The text that stands for the password in the URLs. */
  public static final String SECRET = "s3cr3tXYZ";

  private static final int TIMES = 10_000;
  private static final String CHARACTERS = "/:@?&=#%[]{} ,;.\\-_0a\u0000\n\u00e9\ud83d";

  private FuzzedUrls() {}

  /**
   * Checks ten thousand, where the password stands between a colon and an at sign.
   *
   * @param urls right ones, each with {@link #SECRET} in it
   * @param telling reads a URL and returns all that may be shown of it, or throws
   */
  public static void neverTellThePassword(List<String> urls, Function<String, String> telling) {
    neverTellThePassword(
        urls, telling, (before, behind) -> before.endsWith(":") || behind.contains("@"));
  }

  /**
   * As above.
   *
   * @param mayBeAPassword says whether the secret between these two parts of a changed URL may
   *     still be a password, and is not just a word more in the name of a host or a file
   */
  public static void neverTellThePassword(
      List<String> urls,
      Function<String, String> telling,
      BiPredicate<String, String> mayBeAPassword) {
    long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("fuzzed URLs: -Dlockkeeper.test.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < TIMES; i++) {
      String url = fuzzed(urls.get(random.nextInt(urls.size())), random);
      int secret = url.indexOf(SECRET);
      if (mayBeAPassword.test(url.substring(0, secret), url.substring(secret))) {
        assertThat(told(url, telling))
            .as("%s; replay with -Dlockkeeper.test.seed=%d", url, seed)
            .doesNotContain(SECRET);
      }
    }
  }

  private static String told(String url, Function<String, String> telling) {
    try {
      return telling.apply(url);
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
      return String.valueOf(refused);
    }
  }

  /** Changes one to three characters, but none of the password. */
  private static String fuzzed(String url, Random random) {
    StringBuilder text = new StringBuilder(url);
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int at = random.nextInt(text.length());
      int secret = text.indexOf(SECRET);
      char other = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
      if (at > secret && at < secret + SECRET.length()) {
        continue;
      }
      switch (random.nextInt(3)) {
        case 0 -> text.insert(at, other);
        case 1 -> text.setCharAt(at == secret ? 0 : at, other);
        default -> text.deleteCharAt(at == secret ? 0 : at);
      }
    }
    return text.toString();
  }
}
