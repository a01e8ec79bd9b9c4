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
          Map.entry("cell-update.v1", "3185867df4c0ced8efb6dcd5436f3c474f9174a3"),
          Map.entry("claim.v1", "b78965357e5122a8a7f855b28fe98199e6f292a9"),
          Map.entry("force.v1", "e12637ac1d2dafcfc1322f67ca64e2f0e833f17e"),
          Map.entry("inspect.v1", "5b754fadfd206ebaf3be59155c3c21e36faf9e92"),
          Map.entry("look.v1", "3f0bebd718a044a1f91312832c53c0852db00844"),
          Map.entry("release.v1", "23498a835d970876c3b908d8b3f82e82bbf0c79c"),
          Map.entry("renew.v1", "b65d4731bbbb8e2cba09c6e6087154960cef534b"),
          Map.entry("withdraw.v1", "c27a617f72cac43932891ebeb7e41bf4d4fec2db"),
          Map.entry("pool-claim.v1", "c36128c8b57d578a492725720a74a6732f01c806"),
          Map.entry("pool-force.v1", "67b47c5774daea1a9adc3e4133180bdfaad2edcf"),
          Map.entry("pool-inspect.v1", "6cdc2c252b1f2005d6bfe2758240b14cc2d71f3c"),
          Map.entry("pool-look.v1", "a66d5f6939c7f10fd573ab8cec9cd604a47e0750"),
          Map.entry("pool-release.v1", "adead700db99b88d359888ba03a8b3f8669de817"),
          Map.entry("pool-renew.v1", "24335e474206cd085ffdfe754af3337e2a314f35"),
          Map.entry("pool-resize.v1", "c55f187c1698349e07651e3b577c335da9dbc544"),
          Map.entry("pool-withdraw.v1", "f389ba37b42e8af50e106b118518e02200783d14"),
          Map.entry("cell-update.v1", "d3a3b2fe921b7ba36abe617e1449d085cbf96ce0"),
          Map.entry("cell-read.v1", "7ac45a9ea4d563f5d0959e912005b7c7b3ad03e3"));

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
