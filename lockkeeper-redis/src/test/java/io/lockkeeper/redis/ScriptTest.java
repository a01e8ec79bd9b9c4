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
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("claim.v1", "abe1997407e194b1b37a814d69206067dbe9072f"),
          Map.entry("force.v1", "48c2b72fad2e372b9c59291b3a92ef2af2b6ff51"),
          Map.entry("inspect.v1", "05127862e8acd500eb593a14120268cc0e686c1d"),
          Map.entry("look.v1", "5afaa4c95ea34928ddd71617094ccdba6004acbe"),
          Map.entry("pool-claim.v1", "513e3d5ccabcefbf48401851acba17e2ad9a85a0"),
          Map.entry("pool-force.v1", "7c5e0561d0fcd2b31bdf49112c950345b856c51d"),
          Map.entry("pool-inspect.v1", "7b1f70679db65b149b50aa87ec50ed58d2d3bb08"),
          Map.entry("pool-look.v1", "c35ee9853abc44fb973ee7b6d9db115d583b33c7"),
          Map.entry("pool-release.v1", "00876c07d11c41b9bb92efe76c40efba95ace4af"),
          Map.entry("pool-renew.v1", "723df1278b44564b1e4d9d0dedd5500ed11789aa"),
          Map.entry("pool-resize.v1", "dd15ead119ec453282ef8a3894613732101c7dbc"),
          Map.entry("pool-withdraw.v1", "d4f8afbc4a98060c8242a57ba9b5e2f8f9838a04"),
          Map.entry("release.v1", "1c51911c8281b601e1cbde6caab84d7778619dfa"),
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
