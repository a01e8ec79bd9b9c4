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
          Map.entry("cell-read.v1", "7ac45a9ea4d563f5d0959e912005b7c7b3ad03e3"),
          Map.entry("cell-update.v1", "00b4529be710961a549d5417ae206341767d0873"),
          Map.entry("claim.v1", "1fecd0fdd1f522756bb57ecdba979bcbd660bbcb"),
          Map.entry("force.v1", "58f2faa394da2912bcaae557410c0aedafb6e5ad"),
          Map.entry("inspect.v1", "75b058c61053951daaeccbdb1f06b456b5062703"),
          Map.entry("look.v1", "2279e2e394d68c68dd37a36422c8fa120f4cdb84"),
          Map.entry("pool-claim.v1", "1ef7de4f31fe374a9d09f377b9e25028ab0a54de"),
          Map.entry("pool-force.v1", "84273ae53615b62d94bbd9ce9e4e9d13e2071fba"),
          Map.entry("pool-inspect.v1", "b6a4925aef11034cec4c4ed4c18bc385ab894c37"),
          Map.entry("pool-look.v1", "3edbfcdbccbea554717fff293c088f7257a6b9c0"),
          Map.entry("pool-release.v1", "a7b699aa20fa642bfbf4081d2c170eee0fe02f79"),
          Map.entry("pool-renew.v1", "4c0d314996111bc3d046959654313a7f1b83ffe1"),
          Map.entry("pool-resize.v1", "d084ab9223fbffad73e0725a24c2a42ccc23d3ea"),
          Map.entry("pool-withdraw.v1", "d4209ab1a8e9203e3a99d5b781692af508d658bf"),
          Map.entry("release.v1", "e436e31c2eefee12a3070eb17a1e15a727ee0ee8"),
          Map.entry("renew.v1", "b73788684464b9701ea1efba83d96423c526148f"),
          Map.entry("withdraw.v1", "231c30a762e5f524b3f9685ea517b708fb7cb3a9"));

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
