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
          Map.entry("cell-read.v1", "669a6893c2012b8a531bf8be33a4e1ed6e2618dd"),
          Map.entry("cell-update.v1", "00b4529be710961a549d5417ae206341767d0873"),
          Map.entry("claim.v1", "0a7bdbf2d3253cbdde2f0a52c29e3ae2bc48eb74"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "8f2911ed0189aa6d72de4c5973ba6a7a2c2abcf5"),
          Map.entry("greet.v1", "ca27370b2d69ab759ed8525f3edabad132eec773"),
          Map.entry("inspect.v1", "d946a64f30f0bb25931b6b03550418e12551b4c3"),
          Map.entry("look.v1", "bc0fd5f9b1e8cb46a1d5d74f98ca3399b29d40a0"),
          Map.entry("pool-claim.v1", "94136218bcc59484ae9a2ee0f752bb6d675e70b4"),
          Map.entry("pool-force.v1", "f27bfbb99fca901a8241dc8ca15485f2b17a3ac5"),
          Map.entry("pool-inspect.v1", "c1d96e793025aa5447bdc9c12cc9cd8f4ffed7f1"),
          Map.entry("pool-look.v1", "1e3f93e118def629f98eae93440ed063561ed66d"),
          Map.entry("pool-release.v1", "a087dd4a9722b252130903543f6d0e04eb032e2c"),
          Map.entry("pool-renew.v1", "8797f3db7eb816548fba28c83153eac0e4ecf7fe"),
          Map.entry("pool-resize.v1", "71801f2dead796b5d76c30f7ecbc0e12361a3e1e"),
          Map.entry("pool-withdraw.v1", "2a32feb8ba7d79abe6ddb446ed71d0d5d0408616"),
          Map.entry("release.v1", "4ffb74265cde59c9310fdda2bd3e5e168feafeb5"),
          Map.entry("renew.v1", "bda749b1dc0a36f440ba061d8bb3948d2c556f25"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("rest.v1", "01b9f3f876c0528512238f0496ec7f5323d22ba6"),
          Map.entry("withdraw.v1", "51b91142412480faf4784b92a9d1fb72162f014a"));

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
