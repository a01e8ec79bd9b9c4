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
          Map.entry("claim.v1", "9036e6ba7f4e05fa1ce377d4667ab434d7da30ee"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "42b12e39bed3f7975133d6a7585e3b064e51044d"),
          Map.entry("greet.v1", "83366465590bbef352186193c198fa21f21c5066"),
          Map.entry("inspect.v1", "b9ad7665d7ffd716cc795bcc8f06d944ca1e571f"),
          Map.entry("look.v1", "8599375eec8a78706f1b460708524050fa181b42"),
          Map.entry("pool-claim.v1", "fb021298c4e2367e593679c48f46876fbf440722"),
          Map.entry("pool-force.v1", "d58fdc2e10d8572c56d08e523a18779aa2702cc4"),
          Map.entry("pool-inspect.v1", "d54f8eb18e978ff905f19c4423e020c21c4eba5b"),
          Map.entry("pool-look.v1", "6504caf4ee897fec952130ee8a3abb2aa1cc2540"),
          Map.entry("pool-release.v1", "3158ea252aa5ce72248cf8c9c84ee96923cc1616"),
          Map.entry("pool-renew.v1", "d80f85fdcd2ab019a50f3b44d0f8632ad18c781e"),
          Map.entry("pool-resize.v1", "7b0afa15bbcc212916e3592209736a913339c169"),
          Map.entry("pool-withdraw.v1", "765ae9ebb2472592d3a5ad3f2ec9e989be91ebaf"),
          Map.entry("release.v1", "409481e245c1c514469225378f2d443162f76450"),
          Map.entry("renew.v1", "e7f4aed6e0d61970242e4403923a4ad6bc011b5d"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("withdraw.v1", "0ccd9e542b1e7586fd86a641007b0ad7524abd45"));

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
