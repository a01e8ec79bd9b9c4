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
          Map.entry("claim.v1", "2f289fc3d15cb77eeaf93c7b95312663b056d150"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "bc72b25991933fc1390a17830543efea6e21d318"),
          Map.entry("greet.v1", "33bc66b3c4f03fa67db2d6251e8319005b0be5de"),
          Map.entry("inspect.v1", "112228ff6f895079cdebb994c13b2ee81b03e4c0"),
          Map.entry("look.v1", "10487c24c172d43350e1a5ff209f641a33d9762e"),
          Map.entry("release.v1", "55b8511c7f7867f67f8e2f8d41bdc31f52b40b78"),
          Map.entry("renew.v1", "0e48a9451aa2017abe71189dbda7ef41a784c4e4"),
          Map.entry("resize.v1", "f34eacb618b30e307b4e7fa2ed08368805ba0dcc"),
          Map.entry("resources.v1", "54d5c1ef8d7b4c1b9d1037abe3a60cbf9cfd3ac2"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "dd572be13bd4b3975b903d0e07bedd66be8b9166"));

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
