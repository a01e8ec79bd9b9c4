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
          Map.entry("cell-update.v1", "c76131772e102458768a00fe1b7e00a8e99632f8"),
          Map.entry("claim.v1", "16bea098d6cf1e4f7b82b42e4c9351dcfff7b346"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "054eeef2ab97494a147526d1d93d244e7d85d56e"),
          Map.entry("greet.v1", "2747be2eb5bb17c5dd52ad742c1d448ee3382a9e"),
          Map.entry("inspect.v1", "54323c74f327b15e8c1c18b71f4d458d2d8abf5d"),
          Map.entry("look.v1", "7203d9c85d82dce29f17ac51e26641fd435a0faf"),
          Map.entry("pool-claim.v1", "81d5d6c03d733d53080bb00b21bf3b308a1528eb"),
          Map.entry("pool-force.v1", "ac9948d86553a396d64cfc3871fd1d4412dd648b"),
          Map.entry("pool-inspect.v1", "53c58208a57d2c68717403d29a6a92b1baf14691"),
          Map.entry("pool-look.v1", "40a630e69bb46f84cf2edf55956e8323f7846548"),
          Map.entry("pool-release.v1", "a86b3321922b6af9ef19f9674547999f33053e99"),
          Map.entry("pool-renew.v1", "b7291a6cc936fcf2632e7e47873e815b5d3898f5"),
          Map.entry("pool-resize.v1", "292e9b23f7037087be2071740e3a33ada0982b7e"),
          Map.entry("pool-withdraw.v1", "f913d8437db5f73be9904728177aa1dfdc1d4a5f"),
          Map.entry("release.v1", "0bcdc697ec66b3c57ee34ff2d9ee6fb1fe82cadb"),
          Map.entry("renew.v1", "94c2b837cdaabb09c9a5374a02c557c28df38de7"),
          Map.entry("resources.v1", "cc1c5333f25ea7c91b077d811c24c34edced9452"),
          Map.entry("rest.v1", "fd8fdb335ccf6110b8b625d13a185d84f9e7d7d0"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "2e82ce592a5dcb206dd57a1fba73d355627ae950"));

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
