package io.lockkeeper.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "stock:1001", "{tag}", "with space", "ünïcödé", "锁", "🔒", "a\u2028b"})
  void anyOtherUnicodeIsAllowed(String name) {
    assertThat(Names.check("lock name", name)).isSameAs(name);
  }

  @Test
  void fiveHundredAndTwelveBytesAreAllowed() {
    String ascii = "x".repeat(512);
    String emoji = "🔒".repeat(128);

    assertThat(Names.check("lock name", ascii)).isSameAs(ascii);
    assertThat(Names.check("lock name", emoji)).isSameAs(emoji);
  }

  @Test
  void oneByteMoreIsRefusedWithItsLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.check("lock name", "x".repeat(513)))
        .withMessage("lock name must be at most 512 bytes of UTF-8, has 513");
  }

  @Test
  void theLengthIsThatInUtf8() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.check("lock name", "é".repeat(257)))
        .withMessage("lock name must be at most 512 bytes of UTF-8, has 514");
  }

  @Test
  void anEmptyNameIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.check("namespace", ""))
        .withMessage("namespace must not be empty");
  }

  @ParameterizedTest
  @CsvSource({"0, U+0000", "10, U+000A", "31, U+001F", "127, U+007F", "159, U+009F"})
  void aControlCharacterIsRefusedWithItsPlace(int character, String shown) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.check("client name", "ab" + (char) character))
        .withMessage("client name must not contain control characters, has %s at index 2", shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\uD800", "a\uDC00b", "a\uD83Db"})
  void halfASurrogatePairIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Names.check("lock name", name))
        .withMessage("lock name must be valid Unicode, has half a surrogate pair at index 1");
  }

  @Test
  void nullIsRefusedByName() {
    assertThatNullPointerException()
        .isThrownBy(() -> Names.check("lock name", null))
        .withMessage("lock name");
  }

  @Test
  void theDefaultClientNameIsHostAndProcess() {
    assertThat(Names.defaultClientName()).matches(".+/" + ProcessHandle.current().pid());
  }
}
