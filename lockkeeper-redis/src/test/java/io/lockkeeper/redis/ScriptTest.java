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
          Map.entry("cell-update.v1", "c76131772e102458768a00fe1b7e00a8e99632f8"),
          Map.entry("claim.v1", "7b1a40ecf86f9bcca30a4841500e428bf05dd9a9"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "8f4d3ca51199c46f37a0b8535c05c80f4ba852dc"),
          Map.entry("greet.v1", "566e5388db054b2e31fe3aa622e2c5636429a9d0"),
          Map.entry("inspect.v1", "2e1b0c6e9c1cc385cf366c5f456e095fe6014c64"),
          Map.entry("look.v1", "9c4d297c53846cfa9484d7bd448cce7460050992"),
          Map.entry("pool-claim.v1", "a8b723d333bda60d90106a6314855b03ac21a12e"),
          Map.entry("pool-force.v1", "40e2392ff52a9700175b4565d02ec4791f61d617"),
          Map.entry("pool-inspect.v1", "2da40aee7d1b7b34cba65ca3e6a5fc00c511e4c1"),
          Map.entry("pool-look.v1", "f71e036072f3cf81480850ba7456136d17f25f4b"),
          Map.entry("pool-release.v1", "051620877c9946d14b6e69f837248c6df035d794"),
          Map.entry("pool-renew.v1", "95aad5005ad2d7f09a0fe74a1d8765c6b95aef08"),
          Map.entry("pool-resize.v1", "2a35301bc4e28cff7d9936f3d3d16910373836db"),
          Map.entry("pool-withdraw.v1", "feaf39e721e1e91c85021e3acd3e69d234b3c830"),
          Map.entry("release.v1", "95ca8db2249e28759ef167366fc5517c369c311c"),
          Map.entry("renew.v1", "d0d3871042f5e46d4e9009cfb71a8d0f6d7583ae"),
          Map.entry("resources.v1", "cc1c5333f25ea7c91b077d811c24c34edced9452"),
          Map.entry("rest.v1", "339032dfa58b75553aafe40f28664c1a1a77c36f"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "18d7785086cceef445af6c7e8fe53e906268b280"));

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
