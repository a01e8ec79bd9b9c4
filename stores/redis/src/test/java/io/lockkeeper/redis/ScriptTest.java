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
          Map.entry("claim.v1", "6bd5d37eda25626061b1d3cb86dd8949df84a7e8"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "2a72a6a3b07e509198181b0a7aaf926473da4858"),
          Map.entry("greet.v1", "33bc66b3c4f03fa67db2d6251e8319005b0be5de"),
          Map.entry("inspect.v1", "7c5a02076b68274bcfdf44214817135f7105c221"),
          Map.entry("look.v1", "5dfc028c84968096bc23846f5252f859b7c579a4"),
          Map.entry("release.v1", "3def03d2ede81ffb35e9a720006f28e178c413c2"),
          Map.entry("renew.v1", "291f5a8ec8a35381de25486c07e127154158dba6"),
          Map.entry("resize.v1", "3277b0bb2ab74a21524aee0de11e0172b3b34e54"),
          Map.entry("resources.v1", "54d5c1ef8d7b4c1b9d1037abe3a60cbf9cfd3ac2"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "f92a826572939665fa3d72967b6ada0f5000621e"));

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
