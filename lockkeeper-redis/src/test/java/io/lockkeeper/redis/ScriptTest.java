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
          Map.entry("claim.v1", "47a78c1952c5edb14528715eaefe297f7d648e07"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "ce21117f17a9a21d4b40dc5ab2add19f71e2e6b9"),
          Map.entry("greet.v1", "ca27370b2d69ab759ed8525f3edabad132eec773"),
          Map.entry("inspect.v1", "89fe52f7eb99f140e035b99b9387dccdf930a5a2"),
          Map.entry("look.v1", "82ea3e77cb76c11995e4f435c5f96d6d98f33691"),
          Map.entry("pool-claim.v1", "94136218bcc59484ae9a2ee0f752bb6d675e70b4"),
          Map.entry("pool-force.v1", "f27bfbb99fca901a8241dc8ca15485f2b17a3ac5"),
          Map.entry("pool-inspect.v1", "c1d96e793025aa5447bdc9c12cc9cd8f4ffed7f1"),
          Map.entry("pool-look.v1", "1e3f93e118def629f98eae93440ed063561ed66d"),
          Map.entry("pool-release.v1", "a087dd4a9722b252130903543f6d0e04eb032e2c"),
          Map.entry("pool-renew.v1", "8797f3db7eb816548fba28c83153eac0e4ecf7fe"),
          Map.entry("pool-resize.v1", "71801f2dead796b5d76c30f7ecbc0e12361a3e1e"),
          Map.entry("pool-withdraw.v1", "2a32feb8ba7d79abe6ddb446ed71d0d5d0408616"),
          Map.entry("release.v1", "3de6ce9f87624d75f26532726a73322144af50c6"),
          Map.entry("renew.v1", "8b2750d821c27eee12d9a147dedcbb752be50a7a"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("withdraw.v1", "c29484755bd1befcca7856edcb356a0bdd8866b3"));

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
