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
          Map.entry("cell-read.v1", "8835bb48d2f000fd1df4496c64e7e2a9689138ca"),
          Map.entry("cell-update.v1", "f5dc94fc8f3c32448cd372a7b4aa9c2738aad469"),
          Map.entry("claim.v1", "9790433f8d599456b7966e6d0177d6fa6d405688"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "e2a9072454802c4b6dd929cc51fd42a935a260ab"),
          Map.entry("greet.v1", "c0a45fa8fd968406ec293ffa4393cbdad3dc2b82"),
          Map.entry("inspect.v1", "aa768c03829ba2671d64688fff1590c70c147277"),
          Map.entry("look.v1", "06bad21998e6d4646f2f7a06269fe6854fc7f863"),
          Map.entry("release.v1", "c3414188665e92577d09c2173532c5e5880d9919"),
          Map.entry("renew.v1", "c23431f9f8b2afb1fd379f09da8b48010da83c29"),
          Map.entry("resize.v1", "49b945233321e27ff00f2201295dccf90daaa7fe"),
          Map.entry("resources.v1", "54d5c1ef8d7b4c1b9d1037abe3a60cbf9cfd3ac2"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "1b849e3c4530623b52007755053cf8683c6f62ae"));

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
