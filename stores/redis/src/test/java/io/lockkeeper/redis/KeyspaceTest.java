package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import io.lockkeeper.spi.ResourceId;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyspaceTest {

  private static final List<String> NAMES =
      List.of(
          "a",
          "{",
          "}",
          "{}",
          "}{",
          "a}b",
          "}x",
          "{a}",
          "%",
          "%7B",
          "%25",
          "a%7Db",
          "a|b",
          " ",
          "🔑",
          "a:q",
          "ключ",
          "x".repeat(512),
          "{".repeat(512));

  @Test
  void aNameComesBackOutOfItsKey() {
    for (String name : NAMES) {
      String key = key("ns", name);
      String encoded = key.substring(key.indexOf('{') + 1, key.lastIndexOf('}'));
      assertThat(encoded).doesNotContain("{", "}");
      assertThat(Keyspace.decode(encoded)).isEqualTo(name);
    }
  }

  @Test
  void noTwoNamesOrNamespacesShareAKeyOrAChannel() {
    Set<String> keys = new HashSet<>();
    for (String namespace : NAMES) {
      for (String name : NAMES) {
        assertThat(keys.add(key(namespace, name))).as("%s %s", namespace, name).isTrue();
      }
    }
  }

  @Test
  void allKeysOfAResourceAreInOneSlot() {
    for (String namespace : NAMES) {
      for (String name : NAMES) {
        String key = key(namespace, name);
        int slot = SlotHash.getSlot(key);
        assertThat(SlotHash.getSlot(key + ":q")).isEqualTo(slot);
        assertThat(SlotHash.getSlot(key + ":w")).isEqualTo(slot);
        assertThat(slot).isEqualTo(SlotHash.getSlot(key("other", name)));
      }
    }
  }

  private static String key(String namespace, String name) {
    return new String(
        new Keyspace(namespace).record(ResourceId.lock(name)), StandardCharsets.UTF_8);
  }
}
