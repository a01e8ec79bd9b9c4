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
          Map.entry("pool-claim.v1", "e26da5b8c770071b56d5852c01623567bf6805a5"),
          Map.entry("pool-force.v1", "f2d55bd2b7033692f882880e0687a8c78df975fa"),
          Map.entry("pool-inspect.v1", "34c241588021c6971bff8762ead39cedb66ebd2d"),
          Map.entry("pool-look.v1", "3f2656edbe61be6dd6bb6e8bd84b3962f02ed78c"),
          Map.entry("pool-release.v1", "04e30211c480f46421a1654cc9824550e58fa02f"),
          Map.entry("pool-renew.v1", "bdbbda8e28f8ca8f2a401b4d80206031517acc30"),
          Map.entry("pool-resize.v1", "50b03615eda3b5d3a19d2afef5b316dc4377ccbb"),
          Map.entry("pool-withdraw.v1", "b803b08be842f5d2f82565775fd68dffa02729ed"));

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
