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
          Map.entry("cell-update.v1", "f5dc94fc8f3c32448cd372a7b4aa9c2738aad469"),
          Map.entry("claim.v1", "d3f2ab84244e85e0d770d50d632063fd7cf09cdf"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "ea103c411acf3392c656e181b909f90f937eebe1"),
          Map.entry("greet.v1", "33bc66b3c4f03fa67db2d6251e8319005b0be5de"),
          Map.entry("inspect.v1", "f3a956a74ed0a5f89129808aff892d2fa9c7232d"),
          Map.entry("look.v1", "a08c27c6f4b34a57ee287195fb2e73497273a8db"),
          Map.entry("pool-claim.v1", "a0186513432ed90b242c9db7a22ffa3a5a16a681"),
          Map.entry("pool-force.v1", "deba204e76d0f9bfc6587d670faf6436752ccbe8"),
          Map.entry("pool-inspect.v1", "cd140a85657e2042798977b6de34b43e1887e818"),
          Map.entry("pool-look.v1", "d386c8d495c4b08db82d0dc191f556a6da3ae610"),
          Map.entry("pool-release.v1", "3f4e6353f5bb63fb7a4165d47ec4562ea2470310"),
          Map.entry("pool-renew.v1", "336e418b6fd5d3c4b59b4c142e63ce7e528d8b06"),
          Map.entry("pool-resize.v1", "765339c0d03eeca8191b390f62cfb653a1743c63"),
          Map.entry("pool-withdraw.v1", "9f9ff06f6dc71ddec74deb39be2243248117150a"),
          Map.entry("release.v1", "566fe7cb627e1e6ec7333c4f91c7830a3d62b593"),
          Map.entry("renew.v1", "c8adad89da97fc7e6bc6d2c0b356739d0af26fd5"),
          Map.entry("resources.v1", "cc1c5333f25ea7c91b077d811c24c34edced9452"),
          Map.entry("rest.v1", "aa690fc20c5bc1e0c5b96fb110e90d2578541ff2"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "f2204ab11ded63681ae498d697b7a43a6be51da8"));

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
