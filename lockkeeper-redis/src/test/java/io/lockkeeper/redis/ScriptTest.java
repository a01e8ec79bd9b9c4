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
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("claim.v1", "89676b23edca8aef164f1bbb2f58f8dd206a4405"),
          Map.entry("force.v1", "0bf5223292280b8e4524b6903838dee38c49d918"),
          Map.entry("inspect.v1", "1a2d1e8ae3ead2906417e1459891d8260a99c1a5"),
          Map.entry("look.v1", "1df38da4326bd0c5f860b979fd58e404f7e44da6"),
          Map.entry("pool-claim.v1", "6860e270fc031348131150be767a431bc88a9e04"),
          Map.entry("pool-force.v1", "54f6fa947f75704e0f6e4cf302c6a354abbe0ecb"),
          Map.entry("pool-inspect.v1", "a73790428f70e8ac36bbf38e9c5c910356abe62e"),
          Map.entry("pool-look.v1", "94c8db1bd305290a73d0d2435e30405f8e9b8e9c"),
          Map.entry("pool-release.v1", "3b5fde8ef639749dbb060183094e91dc449b7045"),
          Map.entry("pool-renew.v1", "ed66fb893920682f205dfc787afe80c723d80a4d"),
          Map.entry("pool-resize.v1", "a4ebadf03cfa6480db4cbd4aa9bc345e81ffdc06"),
          Map.entry("pool-withdraw.v1", "beb92e2432d94c5b654d2ffbac3f85fab7252cba"),
          Map.entry("release.v1", "3c20d16ceff14b192ffe984b38c85684e80c0958"),
          Map.entry("renew.v1", "c89c0f4309f164db94dc7537336fa7a01b933e7e"),
          Map.entry("withdraw.v1", "1707bbacaf67de203b20d5cf46b69518296b848c"));

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
