package io.lockkeeper.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.tck.FuzzedUrls;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DynamoDbUrlTest {

  private static final List<String> URLS =
      List.of(
          "dynamodb://u:s3cr3tXYZ@eu-central-1/locks",
          "dynamodb://eu-central-1/locks?endpoint=http://u:s3cr3tXYZ@h:8000&timeout=1s");

  @Test
  void aRegionAndATableAreEnough() {
    DynamoDbUrl url = DynamoDbUrl.parse(DynamoDbUrl.EXAMPLE);

    assertThat(url.region()).isEqualTo("eu-central-1");
    assertThat(url.table()).isEqualTo("lockkeeper");
    assertThat(url.endpoint()).isNull();
    assertThat(url).hasToString(DynamoDbUrl.EXAMPLE);
  }

  @Test
  void everythingCanBeSaid() {
    DynamoDbUrl url =
        DynamoDbUrl.parse(
            "dynamodb://local/a_b.c-d?endpoint=http://localhost:8000&timeout=500ms"
                + "&connectTimeout=1m");

    assertThat(url)
        .isEqualTo(
            new DynamoDbUrl(
                "local",
                "a_b.c-d",
                URI.create("http://localhost:8000"),
                Duration.ofMillis(500),
                Duration.ofMinutes(1)));
    assertThat(url).hasToString("dynamodb://local/a_b.c-d at http://localhost:8000");
  }

  @ParameterizedTest
  @CsvSource({
    "dynamodb://eu-central-1, table",
    "dynamodb://eu-central-1/ab, table",
    "dynamodb://eu-central-1/a/b/c, table",
    "dynamodb://EU/locks, AWS region",
    "dynamodb://h:80/locks, AWS region",
    "'dynamodb://a,b/locks', AWS region",
    "dynamodb://eu-central-1/locks?endpoint=localhost, endpoint",
    "dynamodb://eu-central-1/locks?timeout=3, timeout",
    "dynamodb://eu-central-1/locks?retries=3, retries",
    "dynamodb://key:secret@eu-central-1/locks, credentials",
    "redis://h, dynamodb://"
  })
  void whatIsWrongIsNamed(String url, String named) {
    assertThatThrownBy(() -> DynamoDbUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dynamodb://AKIA:s3cret@eu-central-1/locks",
        "dynamodb://eu-central-1:s3cret/locks",
        "dynamodb://eu-central-1/locks?endpoint=http://u:s3cret@h:1"
      })
  void noMessageHasASecret(String url) {
    assertThatThrownBy(() -> DynamoDbUrl.parse(url)).hasMessageNotContaining("s3cret");
  }

  @Test
  void fuzzedUrlsAreReadOrRefusedAndNeverTellASecret() {
    FuzzedUrls.neverTellThePassword(URLS, url -> DynamoDbUrl.parse(url).toString());
  }
}
