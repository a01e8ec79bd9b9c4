package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcUrlTest {

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
        "jdbc:oracle:thin:@db",
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
}
