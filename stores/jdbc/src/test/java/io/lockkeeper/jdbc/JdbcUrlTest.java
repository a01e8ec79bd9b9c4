package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.tck.FuzzedUrls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

  private static final List<String> URLS =
      List.of(
          "jdbc:postgresql://db/app?user=u&password=s3cr3tXYZ&lockkeeper.timeout=1s",
          "jdbc:mysql://u:s3cr3tXYZ@db:3306/app?lockkeeper.tables=expect",
          "jdbc:mariadb://db/app?password=s3cr3tXYZ",
          "jdbc:sqlite:/var/lib/app/locks.db?password=s3cr3tXYZ",
          "jdbc:h2:mem:app;password=s3cr3tXYZ;lockkeeper.timeout=1s");

  @Test
  void ownParametersAreNotShownToTheDriver() {
    JdbcUrl url =
        JdbcUrl.parse(
            "jdbc:postgresql://db/app?lockkeeper.timeout=5s&user=u&lockkeeper.tables=expect"
                + "&lockkeeper.connections=4&lockkeeper.push=off&ssl=true"
                + "&lockkeeper.replication=synchronous&lockkeeper.schema=locks");

    assertThat(url.url).isEqualTo("jdbc:postgresql://db/app?user=u&ssl=true");
    assertThat(url.settings)
        .isEqualTo(
            new Settings(Duration.ofSeconds(5), Tables.EXPECT, 4, true, false, false, "locks"));
  }

  @Test
  void aFileOnANetworkFileSystemCanBeAskedFor() {
    assertThat(JdbcUrl.parse("jdbc:sqlite:/tmp/a.db?lockkeeper.network=allow").settings.network())
        .isTrue();
    assertThat(JdbcUrl.parse("jdbc:sqlite:/tmp/a.db").settings.network()).isFalse();
  }

  @Test
  void whatTheUrlDoesNotSayIsAdded() {
    Map.Entry<String, String> prompt =
        Map.entry("socketFactory", PromptSocketFactory.class.getName());
    Map.Entry<String, String> together = Map.entry("allowMultiQueries", "true");
    assertThat(JdbcUrl.parse("jdbc:postgresql://db/app").additions())
        .containsOnly(Map.entry("loginTimeout", "10"), prompt);
    assertThat(JdbcUrl.parse("jdbc:postgresql://db/app?loginTimeout=3").additions())
        .containsOnly(prompt);
    assertThat(JdbcUrl.parse("jdbc:postgresql://db/app?socketFactory=a.B").additions())
        .containsOnly(Map.entry("loginTimeout", "10"));
    assertThat(JdbcUrl.parse("jdbc:mysql://db/app?socketTimeout=3").additions())
        .containsOnly(Map.entry("connectTimeout", "10000"), together);
    assertThat(JdbcUrl.parse("jdbc:mariadb://db/app?lockkeeper.timeout=1m").additions())
        .containsOnly(Map.entry("connectTimeout", "61000"), together);
    assertThat(JdbcUrl.parse("jdbc:mariadb://db/app?allowMultiQueries=false").additions())
        .containsOnly(Map.entry("connectTimeout", "10000"));
  }

  @Test
  void statementsAreSentTogetherUnlessTheUrlForbidsIt() {
    assertThat(JdbcUrl.parse("jdbc:mysql://db/app").sendsJoined()).isTrue();
    assertThat(JdbcUrl.parse("jdbc:mariadb://db/app?allowMultiQueries=true").sendsJoined())
        .isTrue();
    assertThat(JdbcUrl.parse("jdbc:mariadb://db/app?allowMultiQueries=false").sendsJoined())
        .isFalse();
    assertThat(JdbcUrl.parse("jdbc:mysql://db/app?useServerPrepStmts=true").sendsJoined())
        .isFalse();
    assertThat(JdbcUrl.parse("jdbc:sqlite:/tmp/a.db").sendsJoined()).isFalse();
  }

  @Test
  void aUrlWithoutParametersIsTheDriversOwn() {
    JdbcUrl url = JdbcUrl.parse("jdbc:sqlite:/tmp/a b.db");

    assertThat(url.url).isEqualTo("jdbc:sqlite:/tmp/a b.db");
    assertThat(url.settings).isEqualTo(Settings.DEFAULT);
    assertThat(url.driver().artifact()).isEqualTo("org.xerial:sqlite-jdbc");
  }

  @Test
  void parametersOfH2FollowSemicolons() {
    JdbcUrl url = JdbcUrl.parse("jdbc:h2:mem:app;MODE=MySQL;lockkeeper.timeout=5s;INIT=a\\;b");

    assertThat(url.url).isEqualTo("jdbc:h2:mem:app;MODE=MySQL;INIT=a\\;b");
    assertThat(url.settings).isEqualTo(Settings.DEFAULT.withTimeout(Duration.ofSeconds(5)));
    assertThat(url.describe()).isEqualTo("jdbc:h2:mem:app");
    assertThat(JdbcUrl.parse("jdbc:h2:tcp://u:s3cret@db/app").describe()).isEqualTo("jdbc:h2:***");
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
        "jdbc:h2:mem:app?password=s3cret",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.timeout=soon",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.timeout=0s",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.tables=drop",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.connections=0",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.connections=many",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.push=maybe",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.replication=some",
        "jdbc:postgresql://db/app?password=s3cret&lockkeeper.colour=red"
      })
  void whatIsWrongIsSaidWithoutSecrets(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> JdbcUrl.parse(text))
        .satisfies(e -> assertThat(e).hasMessageNotContaining("s3cret"));
  }

  @Test
  void fuzzedUrlsAreReadOrRefusedAndNeverTellThePassword() {
    FuzzedUrls.neverTellThePassword(
        URLS,
        url -> {
          JdbcUrl read = JdbcUrl.parse(url);
          return read.describe() + read;
        },
        JdbcUrlTest::mayBeAPassword);
  }

  private static boolean mayBeAPassword(String before, String behind) {
    return before.endsWith("password=")
        || (before.endsWith(":") && (before + behind).contains("//"))
        || behind.split("[?;&]", 2)[0].contains("@");
  }
}
