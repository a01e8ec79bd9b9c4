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
          Map.entry("claim.v1", "15897fd7b686b4d476d02533b13620513e6b8563"),
          Map.entry("client.v1", "277d7f620ea50a1c42339e37bb7cc9fef90a085a"),
          Map.entry("clients.v1", "7fb3ae13b95422c5f0c864a31ca9127681428c5a"),
          Map.entry("force.v1", "f3cc9891a2d92874d3b11f7cadff9361f74653bd"),
          Map.entry("greet.v1", "83366465590bbef352186193c198fa21f21c5066"),
          Map.entry("inspect.v1", "b55e32e8309b7c80853141c79dcf93ef328d8c83"),
          Map.entry("look.v1", "1da4bffc823aed1825bf8371fba6abac1e820606"),
          Map.entry("pool-claim.v1", "a3ce968f82d42e74e3af4c2f62dff0c50a727013"),
          Map.entry("pool-force.v1", "df43a52bde8b94667694a9e0ce8d981ab2d28e81"),
          Map.entry("pool-inspect.v1", "89f7b5f322bd001b55de32c482b37109c7515031"),
          Map.entry("pool-look.v1", "215011174c2c8c2c43b50b15e228cf74fa0fd62e"),
          Map.entry("pool-release.v1", "04c32f236fff69f88f77d190b2f1750521d2d613"),
          Map.entry("pool-renew.v1", "b9c6c3b64af055d35428ed4fbbbf91901ff41274"),
          Map.entry("pool-resize.v1", "f08827297bc8fb4eb41861cc5d03a180a1d2b5be"),
          Map.entry("pool-withdraw.v1", "26378b1e504a703d08d31cda3c60ab7bac588ee3"),
          Map.entry("release.v1", "e9afcab1e6611b3e052a9b69aa9067fd5b069269"),
          Map.entry("renew.v1", "f8ef03b571d81f1c0e9e2ad43f2da36f1cb4e147"),
          Map.entry("resources.v1", "5b28bee1df6f663b0340ea4af779d3dfbd1d2d61"),
          Map.entry("withdraw.v1", "543e6e4477311337084e733e2dcea2db4887529f"));

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
