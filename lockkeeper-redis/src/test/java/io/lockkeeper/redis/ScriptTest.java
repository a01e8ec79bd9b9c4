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
          Map.entry("claim.v1", "abe1997407e194b1b37a814d69206067dbe9072f"),
          Map.entry("force.v1", "98ac6d0923e3db3c5985f83dfe4489c39b8bcecc"),
          Map.entry("inspect.v1", "05127862e8acd500eb593a14120268cc0e686c1d"),
          Map.entry("look.v1", "5afaa4c95ea34928ddd71617094ccdba6004acbe"),
          Map.entry("pool-claim.v1", "8fe361da076672bb3f019c13fe674c3d516a3602"),
          Map.entry("pool-force.v1", "d0d1e6d4f984ac4d8f994e39de102b659650ef10"),
          Map.entry("pool-inspect.v1", "287fb064409f463236a0b552b6a4983392a76e24"),
          Map.entry("pool-look.v1", "03f6ad4941fa1079384db88850f6a7a096029791"),
          Map.entry("pool-release.v1", "fc1e26393ea78d0057d2cfe57bcf0021ac67b7f7"),
          Map.entry("pool-renew.v1", "055780ac2f548dc5bbb8226221ff20433139e198"),
          Map.entry("pool-resize.v1", "4ab9e7f365ac114702fc7b683b32eac79f76b221"),
          Map.entry("pool-withdraw.v1", "39eb679ea4a91165b7adf47c990802b8a2cd6c3e"),
          Map.entry("release.v1", "afc1a9f4c8bb4f62f8510e07bc975710564f9c4a"),
          Map.entry("renew.v1", "c0bdba52605af56ffd71a6f0e842df4fc8ea2f95"),
          Map.entry("withdraw.v1", "8a8cc05d4cb4dfba7c5aaf6d932db44ffdee608b"));

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
