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
          Map.entry("pool-claim.v1", "1452fd1c0b9503b9f5b3b3969efd2394935881c9"),
          Map.entry("pool-force.v1", "2d4224fe8f5ef77b4223cb40d8dfeaf15957dc89"),
          Map.entry("pool-inspect.v1", "2fa8118d2ab7e6fda91af7eafdf3873713be470c"),
          Map.entry("pool-look.v1", "2738fdbed1dfd2c432bf146bdc50b2ca20c0c72e"),
          Map.entry("pool-release.v1", "597136bc456a9b26983a7bb227f2fe2dc60cb1eb"),
          Map.entry("pool-renew.v1", "7b0ef710e2ae585fb6c841482cce90f00aad0a6c"),
          Map.entry("pool-resize.v1", "39c4cfcce99f98d94626d352a86f55eae8d4d294"),
          Map.entry("pool-withdraw.v1", "c2b56e1895ab8467f8755654eefc8a6bf5c80d4b"),
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
