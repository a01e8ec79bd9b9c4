package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.tck.FuzzedUrls;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZooKeeperUrlTest {

  private static final List<String> URLS =
      List.of(
          "zookeeper://u:s3cr3tXYZ@a:2181,[::1]:2182/path?timeout=1s&acl=creator",
          "zookeeper://u:s3cr3tXYZ@a?sessionTimeout=40s");

  @Test
  void aHostIsEnough() {
    ZooKeeperSettings settings = ZooKeeperUrl.parse("zookeeper://localhost");

    assertThat(settings.connectString()).isEqualTo("localhost:2181");
    assertThat(settings.root()).isEqualTo("/lockkeeper");
    assertThat(settings.access()).isEqualTo(ZooKeeperSettings.Access.OPEN);
    assertThat(settings.login()).isEmpty();
  }

  @Test
  void everythingCanBeSaid() {
    ZooKeeperSettings settings =
        ZooKeeperUrl.parse(
            "zookeeper://app:p%40ss@h1:2181,h2,[::1]:99/apps/locks"
                + "?timeout=500ms&connectTimeout=3s&sessionTimeout=1m");

    assertThat(settings.connectString()).isEqualTo("h1:2181,h2:2181,[::1]:99");
    assertThat(settings.root()).isEqualTo("/apps/locks");
    assertThat(settings.login()).isEqualTo("app:p@ss".getBytes(StandardCharsets.UTF_8));
    assertThat(settings.access()).isEqualTo(ZooKeeperSettings.Access.CREATOR);
    assertThat(settings.timeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(settings.connectTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(settings.sessionTimeout()).isEqualTo(Duration.ofMinutes(1));
  }

  @ParameterizedTest
  @CsvSource({
    "zookeeper://h?sesionTimeout=3s, sesionTimeout",
    "zookeeper://h?sessionTimeout=3, sessionTimeout",
    "zookeeper://h?sessionTimeout=0s, sessionTimeout",
    "zookeeper://h?timeout=, timeout",
    "zookeeper://h?timeout=1s&timeout=2s, timeout",
    "zookeeper://h?acl=none, acl",
    "zookeeper://h?acl=creator, acl",
    "zookeeper://h:0, 65535",
    "zookeeper://h:99999999, 65535",
    "zookeeper://a b, a b",
    "zookeeper://h/../x, path",
    "zookeeper://h/a b, path",
    "zookeeper://u/:s3cret, path",
    "zookeeper://, is no host and port",
    "redis://h, zookeeper://"
  })
  void whatIsWrongIsNamed(String url, String named) {
    assertThatThrownBy(() -> ZooKeeperUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zookeeper://app:s3cret@h?x=1",
        "zookeeper://app:s3cret@h:0",
        "zookeeper://app:s3cret@a b",
        "zookeeper://app:s3cret@h/a b",
        "zookeeper://s3cret@h"
      })
  void noMessageHasThePassword(String url) {
    assertThatThrownBy(() -> ZooKeeperUrl.parse(url)).hasMessageNotContaining("s3cret");
  }

  @Test
  void nothingThatIsShownHasThePassword() {
    ZooKeeperSettings settings = ZooKeeperUrl.parse("zookeeper://app:s3cret@h/x");

    assertThat(settings.toString()).isEqualTo("zookeeper://h:2181/x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", ".", "..", "a/b", "%2F", "\u0000", "ключ", "😀", "a b", "%", "!"})
  void everyTextIsAPartOfANameAndCanBeReadBack(String text) {
    String part = Nodes.encode(text);

    assertThat(part).matches("[\\x22-\\x7e&&[^/]]*");
    assertThat(Nodes.decode(part)).isEqualTo(text);
  }

  @Test
  void fuzzedUrlsAreReadOrRefusedAndNeverTellThePassword() {
    FuzzedUrls.neverTellThePassword(
        URLS,
        url -> {
          ZooKeeperSettings read = ZooKeeperUrl.parse(url);
          return read.describe() + read;
        });
  }
}
