package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

  private static final String CHARACTERS = "/:@?&=#%[]{} ,;.\\-_0a\u0000\n\u00e9\ud83d";
  private static final List<String> URLS =
      List.of(
          "jdbc:postgresql://db/app?user=u&password=s3cr3tXYZ&lockkeeper.timeout=1s",
          "jdbc:mysql://u:s3cr3tXYZ@db:3306/app?lockkeeper.tables=expect",
          "jdbc:mariadb://db/app?password=s3cr3tXYZ",
          "jdbc:sqlite:/var/lib/app/locks.db?password=s3cr3tXYZ");

  @Test
  void ownParametersAreNotShownToTheDriver() {
    JdbcUrl url =
        JdbcUrl.parse(
            "jdbc:postgresql://db/app?lockkeeper.timeout=5s&user=u&lockkeeper.tables=expect"
                + "&lockkeeper.connections=4&lockkeeper.push=off&ssl=true");

    assertThat(url.url).isEqualTo("jdbc:postgresql://db/app?user=u&ssl=true");
    assertThat(url.settings)
        .isEqualTo(new Settings(Duration.ofSeconds(5), Tables.EXPECT, 4, false));
  }

  @Test
  void aUrlWithoutParametersIsTheDriversOwn() {
    JdbcUrl url = JdbcUrl.parse("jdbc:sqlite:/tmp/a b.db");

    assertThat(url.url).isEqualTo("jdbc:sqlite:/tmp/a b.db");
    assertThat(url.settings).isEqualTo(Settings.DEFAULT);
    assertThat(url.driver()).isEqualTo("org.xerial:sqlite-jdbc");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://db/app?user=u&password=s3cret",
        "jdbc:mysql://u:s3cret@db/app",
        "jdbc:mariadb://db/app?user=u&PASSWORD=s3cret&x=y",
        "jdbc:postgresql://db/app?sslpassword=s3cret",
        "jdbc:postgresql://db/app&password=s3cret",
        "jdbc:postgresql://db/appuser=u&password=s3cret"
      })
  void secretsAreNotDescribed(String text) {
    JdbcUrl url = JdbcUrl.parse(text);

    assertThat(url.describe()).doesNotContain("s3cret").contains("db/app");
    assertThat(url.hide("login with s3cret failed")).isEqualTo("login with *** failed");
    assertThat(url).asString().doesNotContain("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mysql:u:s3cret@db:3306/app",
        "jdbc:mysql:/u:s3cret@db/app",
        "jdbc:mysql://u:s3cretdb:3306/app",
        "jdbc:mysql://u:s3/s3cret@db:3306/app",
        "jdbc:mariadb://u:s3cretdb/app",
        "jdbc:mariadb:u:s3cret@db/app",
        "jdbc:postgresql:u:s3cret@db/app"
      })
  void whatTheDriverSaysOfAMalformedAddressIsNotRepeated(String text) {
    JdbcUrl url = JdbcUrl.parse(text);

    assertThat(url.describe()).isEqualTo("jdbc:" + url.product + ":***");
    assertThatThrownBy(() -> Lockkeeper.connect(text))
        .satisfies(
            failure -> {
              for (Throwable t = failure; t != null; t = t.getCause()) {
                assertThat(String.valueOf(t)).doesNotContain("s3cret");
              }
            });
  }

  @Test
  void anAddressIsDescribedByWhatWasRecognised() {
    assertThat(JdbcUrl.describe("jdbc:postgresql://a:1,[::1]:2/app?user=u"))
        .isEqualTo("jdbc:postgresql://a:1,[::1]:2/app");
    assertThat(JdbcUrl.describe("jdbc:mysql://u:p@db:3306/app"))
        .isEqualTo("jdbc:mysql://db:3306/app");
    assertThat(JdbcUrl.describe("jdbc:mariadb://db/")).isEqualTo("jdbc:mariadb://db/");
    assertThat(JdbcUrl.describe("jdbc:mysql://address=(host=db)(password=p)/app"))
        .isEqualTo("jdbc:mysql:***");
    assertThat(JdbcUrl.describe("jdbc:sqlite:/etc/secrets/a b.db?x=1"))
        .isEqualTo("jdbc:sqlite:/etc/secrets/a b.db");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:oracle:thin:@db",
        "?dbc:sqlite:",
        "jdbc:postgresql://u:s3cret@db/app",
        "jdbc:postgresql://u:s3cretdb/app",
        "jdbc:postgresql://u:s3#s3cret@db/app",
        "jdbc:",
        "jdbc:sqlite:",
        "jdbc:sqlite::memory:",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.timeout=soon",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.timeout=0s",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.tables=drop",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.connections=0",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.connections=many",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.push=maybe",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.colour=red"
      })
  void whatIsWrongIsSaidWithoutSecrets(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcUrl.parse(text))
        .satisfies(e -> assertThat(e).hasMessageNotContaining("s3cret"));
  }

  /** Whatever a slip of the hand makes of a URL, its password is not told. */
  @Test
  void fuzzedUrlsAreReadOrRefusedAndNeverTellThePassword() {
    long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("fuzzed URLs: -Dlockkeeper.test.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      String url = fuzzed(URLS.get(random.nextInt(URLS.size())), random);
      if (!mayBeAPassword(url)) {
        continue;
      }
      String told;
      try {
        JdbcUrl read = JdbcUrl.parse(url);
        told = read.describe() + read;
      } catch (IllegalArgumentException refused) {
        told = String.valueOf(refused);
        assertThat(refused.getMessage()).isNotEmpty();
      }
      assertThat(told)
          .as("%s; replay with -Dlockkeeper.test.seed=%d", url, seed)
          .doesNotContain("s3cr3tXYZ");
    }
  }

  /** Returns whether the URL does not just have a word more in the name of a host or a file. */
  private static boolean mayBeAPassword(String url) {
    int secret = url.indexOf("s3cr3tXYZ");
    String before = url.substring(0, secret);
    String behind = url.substring(secret).split("[?;&]", 2)[0];
    return before.endsWith("password=")
        || (before.endsWith(":") && url.contains("//"))
        || behind.contains("@");
  }

  /** Changes one to three characters, but none of the password. */
  private static String fuzzed(String url, Random random) {
    StringBuilder text = new StringBuilder(url);
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int at = random.nextInt(text.length());
      int secret = text.indexOf("s3cr3tXYZ");
      char other = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
      if (at > secret && at < secret + 9) {
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
