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
          Map.entry("claim.v1", "be311f94ff346679e59bac61c9173f27786c098e"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "8bc10ad80b0d91ba8372689571c81d514827633d"),
          Map.entry("greet.v1", "e807eeb717dab2d5fbaca1e6b1fe285f66fbae90"),
          Map.entry("inspect.v1", "21cea72103b38356f299eaeac23821e8769c79fc"),
          Map.entry("look.v1", "d354ea8f70d021d55137fc1d0337b83fb382be73"),
          Map.entry("pool-claim.v1", "406aafa3e0098b072197ee7f9f7a16a9b64bfcd6"),
          Map.entry("pool-force.v1", "47454390c38a783f870c4f6d1ef8af96553ea815"),
          Map.entry("pool-inspect.v1", "96c4adf39fa30cf718eabcdafc6e25665949dbd1"),
          Map.entry("pool-look.v1", "35b9d1294ce5ec5c443558c06a193c5c99b810d3"),
          Map.entry("pool-release.v1", "67df2ad9f69f0164d205136ddf471b9f4cddb6e0"),
          Map.entry("pool-renew.v1", "a39b53516330c6878de69f528d893211507ea1fb"),
          Map.entry("pool-resize.v1", "9dfd13b4e4086dd44216d07d6f8128ac72ff2a6c"),
          Map.entry("pool-withdraw.v1", "2d596065611e882a1ffe2791e77228fd8d73e7a1"),
          Map.entry("release.v1", "fdb67b806d63de3b44743ed2c7b10b34ef11d149"),
          Map.entry("renew.v1", "5b2470c233983b17788e91f80941f8b4ded543b3"),
          Map.entry("resources.v1", "cc1c5333f25ea7c91b077d811c24c34edced9452"),
          Map.entry("rest.v1", "87df7f2e621f500075e04604d24f6b06458bc9ff"),
          Map.entry("scan.v1", "fdb162fccc5ae3d081a701e1140347ad0e021900"),
          Map.entry("withdraw.v1", "5f8cba1905a32d042ef55e788352bb5e5634ec29"));

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
