package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.testkit.tck.FuzzedUrls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdUrlTest {

  private static final List<String> URLS =
      List.of(
          "etcd://u:s3cr3tXYZ@a:2379,[::1]:2380/apps/locks?timeout=1s",
          "etcds://u:s3cr3tXYZ@a?ca=/ca.pem&cert=/c.pem&key=/k.pem");

  @Test
  void aHostIsEnough() {
    EtcdSettings settings = EtcdUrl.parse("etcd://localhost");

    assertThat(settings.endpoints()).containsExactly("http://localhost:2379");
    assertThat(settings.options().prefix()).isEqualTo("lockkeeper/");
    assertThat(settings.user()).isEmpty();
    assertThat(settings.tls()).isNull();
  }

  @Test
  void everythingCanBeSaid() {
    EtcdSettings settings =
        EtcdUrl.parse(
            "etcds://app:p%40ss@h1:2379,h2,[::1]:99/apps/locks"
                + "?timeout=500ms&connectTimeout=3s&sessionTimeout=1m&ca=/ca.pem&cert=/c&key=/k");

    assertThat(settings.endpoints())
        .containsExactly("https://h1:2379", "https://h2:2379", "https://[::1]:99");
    assertThat(settings.user()).isEqualTo("app");
    assertThat(settings.password()).isEqualTo("p@ss");
    EtcdOptions options = settings.options();
    assertThat(options.prefix()).isEqualTo("apps/locks/");
    assertThat(options.timeout()).isEqualTo(Duration.ofMillis(500));
    assertThat(options.connectTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.sessionTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(Objects.requireNonNull(settings.tls()).ca()).isEqualTo(Path.of("/ca.pem"));
  }

  @ParameterizedTest
  @CsvSource({
    "etcd://h?sesionTimeout=3s, sesionTimeout",
    "etcd://h?sessionTimeout=1s, sessionTimeout",
    "etcd://h?sessionTimeout=11m, sessionTimeout",
    "etcd://h?timeout=, timeout",
    "etcd://h?ca=/x, ca",
    "etcds://h?cert=/x, key",
    "etcd://h:0, 65535",
    "etcd://h/a b, prefix",
    "etcd://h/a//b, prefix",
    "etcd://u/:s3cret, prefix",
    "etcd://, is no host and port",
    "redis://h, etcd://"
  })
  void whatIsWrongIsNamed(String url, String named) {
    assertThatThrownBy(() -> EtcdUrl.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcd://app:s3cret@h?x=1",
        "etcd://app:s3cret@h:0",
        "etcd://app:s3cret@a b",
        "etcd://app:s3cret@h/a b",
        "etcd://s3cret@h"
      })
  void noMessageHasThePassword(String url) {
    assertThatThrownBy(() -> EtcdUrl.parse(url)).hasMessageNotContaining("s3cret");
  }

  @Test
  void fuzzedUrlsAreReadOrRefusedAndNeverTellThePassword() {
    FuzzedUrls.neverTellThePassword(URLS, url -> EtcdUrl.parse(url).toString());
  }

  @Test
  void nothingThatIsShownHasThePassword() {
    EtcdSettings settings = EtcdUrl.parse("etcd://app:s3cret@h/x");

    assertThat(settings.toString()).isEqualTo("etcd://h:2379/x");
  }
}
