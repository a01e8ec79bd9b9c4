package io.lockkeeper.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The form in which stores keep the ids of resources, which other versions read. */
class StoredIdTest {

  @ParameterizedTest
  @CsvSource({
    "LOCK,'',a",
    "READ_WRITE_LOCK,rw,a",
    "SEMAPHORE,sem,a",
    "BARRIER,bar,a",
    "LEADER_ELECTION,'',a\u001eleader"
  })
  void idsAreWrittenAsEver(ResourceKind kind, String word, String name) {
    StoredId stored = StoredId.of(new ResourceId(kind, "a"));

    assertThat(stored).isEqualTo(new StoredId(word, name));
    assertThat(stored.text()).isEqualTo(word.isEmpty() ? name : name + "\u001f" + word);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenIsRead(ResourceKind kind) {
    ResourceId id = new ResourceId(kind, "rw sem leader");

    assertThat(StoredId.of(id).id()).isEqualTo(id);
    assertThat(StoredId.parse(StoredId.of(id).text()).id()).isEqualTo(id);
  }

  @Test
  void everyKindHasOneOfTheWords() {
    assertThat(Arrays.stream(ResourceKind.values()).map(StoredId::word).distinct())
        .containsExactlyInAnyOrderElementsOf(StoredId.WORDS);
  }

  @Test
  void anUnknownWordIsRefused() {
    assertThatThrownBy(() -> StoredId.parse("a\u001fwhat").id())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
