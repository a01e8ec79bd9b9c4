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
      Map.of(
          "claim.v1", "33f6343f7658b0322e89fe7f659090b4fa5bd751",
          "force.v1", "2f274b5ef16dcf5dadce694551172c69038e0593",
          "inspect.v1", "bd4f9b2a388661ef6c727b8c7537a3ff5175b8bc",
          "look.v1", "a534a93660ab577655ea5728d39908eb2eb8233c",
          "release.v1", "c6da56e6ee6bdbf1ef89829b58f20737b505fa22",
          "renew.v1", "1fcf63c8f8047d2905aa4cd35f26d82b00d84e2d",
          "withdraw.v1", "6c370bb3a595a404c78441b7692c641f26bac33e");

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
