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
          Map.entry("claim.v1", "e109073d572619d3982366d799c4a65edf099649"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "5b23aa10c3174f63e0b24b70d1705fb6f35b1675"),
          Map.entry("greet.v1", "33bc66b3c4f03fa67db2d6251e8319005b0be5de"),
          Map.entry("inspect.v1", "4c27af88b669165f8c5cbd26415627130564c73b"),
          Map.entry("look.v1", "4eb535163908c01e5b9e78173a1f584f2d9f38cb"),
          Map.entry("release.v1", "f593422bbbb304be90129f25df55b3702d7902a7"),
          Map.entry("renew.v1", "bca9576c69be4911eececa18c4b4e7bef167c2a5"),
          Map.entry("resize.v1", "64ba0f8fd198bc6dc602c184ea1e7775f89ecda3"),
          Map.entry("resources.v1", "54d5c1ef8d7b4c1b9d1037abe3a60cbf9cfd3ac2"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "b3a0118311242c45d76a29b55475bd026ac66b93"));

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
