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
          Map.entry("claim.v1", "addffc01b3bed47c3bd439483206e870be6971a3"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "26cc24a1b4e68a300e2cc4cb1bcb7ffe5aa1666e"),
          Map.entry("greet.v1", "83366465590bbef352186193c198fa21f21c5066"),
          Map.entry("inspect.v1", "e6ca3bf969c9b4f7cc949a3b2a2d3929ef4de321"),
          Map.entry("look.v1", "7c19cfa0361fb20d326e10ec5efa92930138a3d7"),
          Map.entry("pool-claim.v1", "a3ce968f82d42e74e3af4c2f62dff0c50a727013"),
          Map.entry("pool-force.v1", "df43a52bde8b94667694a9e0ce8d981ab2d28e81"),
          Map.entry("pool-inspect.v1", "89f7b5f322bd001b55de32c482b37109c7515031"),
          Map.entry("pool-look.v1", "215011174c2c8c2c43b50b15e228cf74fa0fd62e"),
          Map.entry("pool-release.v1", "04c32f236fff69f88f77d190b2f1750521d2d613"),
          Map.entry("pool-renew.v1", "b9c6c3b64af055d35428ed4fbbbf91901ff41274"),
          Map.entry("pool-resize.v1", "f08827297bc8fb4eb41861cc5d03a180a1d2b5be"),
          Map.entry("pool-withdraw.v1", "26378b1e504a703d08d31cda3c60ab7bac588ee3"),
          Map.entry("release.v1", "82e2f39b3e47055d9a67636b74711f56846de024"),
          Map.entry("renew.v1", "0fa44e3ca1251966a24dc80a13cc730d3cb410dc"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("withdraw.v1", "446d065c08d02128cf99874037fc58ab7d4ef399"));

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
