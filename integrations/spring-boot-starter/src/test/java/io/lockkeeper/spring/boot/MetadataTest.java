package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.BeanUtils;

/** Editors know each property, with what it is for. */
class MetadataTest {

  private static String metadata() throws IOException {
    try (InputStream file =
        LockkeeperProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<String> names(Class<?> type, String prefix) {
    return Stream.of(BeanUtils.getPropertyDescriptors(type))
        .filter(property -> property.getWriteMethod() != null)
        .map(PropertyDescriptor::getName)
        .map(name -> prefix + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
        .toList();
  }

  @Test
  void eachPropertyHasItsNameAndADescription() throws IOException {
    List<String> names = new ArrayList<>(names(LockkeeperProperties.class, "lockkeeper."));
    names.addAll(names(LockkeeperProperties.Deadlocks.class, "lockkeeper.deadlocks."));
    names.addAll(names(LockkeeperProperties.Annotation.class, "lockkeeper.annotation."));
    names.addAll(names(LockkeeperRedisProperties.class, "lockkeeper.redis."));
    names.addAll(names(LockkeeperJdbcProperties.class, "lockkeeper.jdbc."));
    names.addAll(
        List.of(
            "lockkeeper.locks",
            "management.health.lockkeeper.enabled",
            "management.info.lockkeeper.enabled"));
    String metadata = metadata();

    assertThat(names)
        .contains("lockkeeper.connect")
        .allSatisfy(
            name ->
                assertThat(metadata)
                    .containsPattern(
                        "\"name\": \""
                            + Pattern.quote(name)
                            + "\",\\s+\"type\": \"[^\"]+\",\\s+\"description\": \"\\w"));
    assertThat(metadata).contains("\"management.endpoint.lockkeeper.access\"");
  }
}
