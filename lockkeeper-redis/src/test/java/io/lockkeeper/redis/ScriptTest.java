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
          Map.entry("claim.v1", "b78965357e5122a8a7f855b28fe98199e6f292a9"),
          Map.entry("force.v1", "e12637ac1d2dafcfc1322f67ca64e2f0e833f17e"),
          Map.entry("inspect.v1", "5b754fadfd206ebaf3be59155c3c21e36faf9e92"),
          Map.entry("look.v1", "3f0bebd718a044a1f91312832c53c0852db00844"),
          Map.entry("release.v1", "23498a835d970876c3b908d8b3f82e82bbf0c79c"),
          Map.entry("renew.v1", "b65d4731bbbb8e2cba09c6e6087154960cef534b"),
          Map.entry("withdraw.v1", "c27a617f72cac43932891ebeb7e41bf4d4fec2db"),
          Map.entry("pool-claim.v1", "3364ce689e6f23afc6754814332d43459f1a156d"),
          Map.entry("pool-force.v1", "0bd7b04309ffb1f364cd92a1ad7a8ffbd4c4a786"),
          Map.entry("pool-inspect.v1", "b881ca47fac7818f713655ef60e6116e8124a5ff"),
          Map.entry("pool-look.v1", "19361be03ce711420e87a70d857469940756cff6"),
          Map.entry("pool-release.v1", "9573e58df3315f5b11489fc8a8b48392524f7daa"),
          Map.entry("pool-renew.v1", "5bccb477d49a5c58b3647ed1aa4c7e4a04e88d4b"),
          Map.entry("pool-resize.v1", "e9ad3f56e6bbe8da2342646587bcef259ee70d8e"),
          Map.entry("pool-withdraw.v1", "28eed488ae819ad9f98b1c7c044604b19a7865f6"));

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
