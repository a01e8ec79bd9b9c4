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
          Map.entry("claim.v1", "1d6c909588a87361f05f70a0606c03648116e4e1"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "a0b2743de88b290332fd509d2cd0da68599c34ea"),
          Map.entry("greet.v1", "33bc66b3c4f03fa67db2d6251e8319005b0be5de"),
          Map.entry("inspect.v1", "47d2bace7eceff22e98f771d1c89301a287ccc43"),
          Map.entry("look.v1", "b8bda87381960d525e3508a420955a7ca607401b"),
          Map.entry("release.v1", "2e555cced813079e5cbccdfe8c6d21794f02d0f0"),
          Map.entry("renew.v1", "d2b554469d77532ce24295b44cfbf7b64e4c0c94"),
          Map.entry("resize.v1", "73ec058cabdd46bbceee196b736909c187d5da83"),
          Map.entry("resources.v1", "54d5c1ef8d7b4c1b9d1037abe3a60cbf9cfd3ac2"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "2fd3334c38043384c5336828b248503ab13578c0"));

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
