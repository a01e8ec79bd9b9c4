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
          Map.entry("cell-update.v1", "f7bf6d4b3309a574897ade23bea669f488a84ee6"),
          Map.entry("claim.v1", "a676129d734b30fa3bd3c53379c9f193f11333a3"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "8f2911ed0189aa6d72de4c5973ba6a7a2c2abcf5"),
          Map.entry("greet.v1", "ca27370b2d69ab759ed8525f3edabad132eec773"),
          Map.entry("inspect.v1", "d946a64f30f0bb25931b6b03550418e12551b4c3"),
          Map.entry("look.v1", "2b37f3c2bf98aa67912aab02f371c4510d4f6c0b"),
          Map.entry("pool-claim.v1", "2014d039ead185e81da6da09506e7b3495cacc2e"),
          Map.entry("pool-force.v1", "b86afab4cfdbd5720abb290e4b0da2bc1c76d2a7"),
          Map.entry("pool-inspect.v1", "5d16acd20b8bc6fe780bd149de2beec18ab49af4"),
          Map.entry("pool-look.v1", "159c0f94859ab4ceed1661f70f3360e4f6112c82"),
          Map.entry("pool-release.v1", "18fb7528b9534bf265b1f235a57e4fc17b959843"),
          Map.entry("pool-renew.v1", "8a5bddb13f9e452ae19f825536dd67ec6b293a4c"),
          Map.entry("pool-resize.v1", "0afc40dfd29fabe87356531970c296914a0bf8ab"),
          Map.entry("pool-withdraw.v1", "c5742d6acbca1b3b069605a3e4a49661e1090cf6"),
          Map.entry("release.v1", "a080cedd233024d21719bbbfe9e0177488d7764d"),
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
