package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScriptTest {

  /**
   * The scripts as they are. Once released a script is never edited: programs of both versions work
   * on the same records during an upgrade, and a change of what they do or store needs a new file
   * with a new number. A change of a comment is a change.
   */
  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry("cell-read.v1", "7ac45a9ea4d563f5d0959e912005b7c7b3ad03e3"),
          Map.entry("cell-update.v1", "3185867df4c0ced8efb6dcd5436f3c474f9174a3"),
          Map.entry("claim.v1", "b78965357e5122a8a7f855b28fe98199e6f292a9"),
          Map.entry("force.v1", "e12637ac1d2dafcfc1322f67ca64e2f0e833f17e"),
          Map.entry("inspect.v1", "5b754fadfd206ebaf3be59155c3c21e36faf9e92"),
          Map.entry("look.v1", "3f0bebd718a044a1f91312832c53c0852db00844"),
          Map.entry("release.v1", "23498a835d970876c3b908d8b3f82e82bbf0c79c"),
          Map.entry("renew.v1", "b65d4731bbbb8e2cba09c6e6087154960cef534b"),
          Map.entry("withdraw.v1", "c27a617f72cac43932891ebeb7e41bf4d4fec2db"),
          Map.entry("pool-claim.v1", "afc2dc69335076db144d12613b3b8aa6bed299cc"),
          Map.entry("pool-force.v1", "8621261446674ce919e91c3634dff2848f4e687e"),
          Map.entry("pool-inspect.v1", "0b101f48e8538324a81ec1d5d658b4b06c061e27"),
          Map.entry("pool-look.v1", "85d39b3d9f3c17b21d764f34434f79f5b5104fd9"),
          Map.entry("pool-release.v1", "b31412c7e04b2df608a3f3c8c68583e42cf6f44c"),
          Map.entry("pool-renew.v1", "662e0c8909162a0eb9d64533d028781041b36cc2"),
          Map.entry("pool-resize.v1", "75c1491bc7cb19e638e15d544770d40cccc7859f"),
          Map.entry("pool-withdraw.v1", "dd4fe12c0360a3b409d432087c074942852e380c"));

  @Test
  void aReleasedScriptIsNotEdited() {
    Map<String, String> found = new TreeMap<>();
    for (Script script : Script.ALL) {
      found.put(script.file(), script.sha());
    }
    assertThat(found).isEqualTo(KNOWN);
  }

  @Test
  void aScriptSaysWhatItsKeysArgumentsAndAnswersAre() {
    for (Script script : Script.ALL) {
      String text = new String(script.text(), StandardCharsets.UTF_8);
      assertThat(text)
          .as(script.file())
          .startsWith("-- ")
          .contains("\n-- KEYS ", "\n-- ARGV ", "\n-- Returns");
    }
  }
}
