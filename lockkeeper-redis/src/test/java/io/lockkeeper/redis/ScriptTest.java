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
          Map.entry("cell-update.v1", "43d30736fb12ade3e3ae0ce61bcd4ec1a8da7d5d"),
          Map.entry("claim.v1", "13bc76e1141823ccc3398fdd744e1bb692166d9a"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "8467ac2d35ddaae389f7cb40033f586b06de7c0e"),
          Map.entry("greet.v1", "2747be2eb5bb17c5dd52ad742c1d448ee3382a9e"),
          Map.entry("inspect.v1", "a69ed2f72bd52d50aed6c05485f3ed87cbbf6d47"),
          Map.entry("look.v1", "acf500f4b97367cc70335c9792ac5d2543b5b626"),
          Map.entry("pool-claim.v1", "4807964f3ed0209f7a77e76e528e342bedf6a11a"),
          Map.entry("pool-force.v1", "5244ea48f51e268a94ea45737581a643a1ee3844"),
          Map.entry("pool-inspect.v1", "748d97be4fa33b4b2af51f7c348fb8a4183dde2a"),
          Map.entry("pool-look.v1", "79920f6d6fed9a1604023d5d36addd7559297be7"),
          Map.entry("pool-release.v1", "625a43368c43c747f37b08676f3b8a83445e699b"),
          Map.entry("pool-renew.v1", "daf71ce4e46193922676a4183b92ad0d6db4f33a"),
          Map.entry("pool-resize.v1", "eed6756d6ac9aa0bff394a47e67dce09f7561ef2"),
          Map.entry("pool-withdraw.v1", "3ee7ea8a68aefc2b742ecb0492bbe22ffd4329f3"),
          Map.entry("release.v1", "0225fe39a100c273aff0cb63b2ea565333d0ef5f"),
          Map.entry("renew.v1", "9a6648ff9fe0ed00a44366424e4d6b323f040763"),
          Map.entry("resources.v1", "13450e2632c6d9cf7e3cdb48ae00cb77f1048db1"),
          Map.entry("rest.v1", "188fb0c1b234a9719d191ee66e0af3d0f52e49e2"),
          Map.entry("scan.v1", "dd3e3f0faaecefa32ef49ae9e3c00f5f0c4a6983"),
          Map.entry("withdraw.v1", "1f281bf9337ef61f188996ea87ccfc7c5b56d86b"));

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
