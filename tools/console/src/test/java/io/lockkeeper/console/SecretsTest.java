package io.lockkeeper.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {

  @ParameterizedTest
  @CsvSource({
    "redis://:top@host:6379, redis://***@host:6379",
    "redis://user:top@host/2, redis://***@host/2",
    "redis://:to@p@host, redis://***@host",
    "--store redis://:top@a --store rediss://x:top@b, --store redis://***@a --store rediss://***@b",
    "redis-sentinel://:top@a:1/0#m, redis-sentinel://***@a:1/0#m",
    "redis://host?password=top&database=1, redis://host?password=***&database=1",
    "redis://host?sentinelPassword=top, redis://host?sentinelPassword=***",
    "redis://host:6379, redis://host:6379",
    "mail me@example.org, mail me@example.org",
  })
  void passwordsInUrlsAreHidden(String text, String expected) {
    assertThat(Secrets.hide(text)).isEqualTo(expected).doesNotContain("top");
  }
}
