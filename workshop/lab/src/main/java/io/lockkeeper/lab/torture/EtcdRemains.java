package io.lockkeeper.lab.torture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.servers.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;

/** The keys of etcd. */
record EtcdRemains(Supplier<EtcdServer> server) implements LeftoverCheck {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROOT = "lockkeeper/";

  /** The fields of a lock that nobody holds: format, kind, last arrival, last token. */
  private static final int FIELDS_OF_A_FREE_LOCK = 4;

  /** Places of fields in the heads of shared resources, and of cells. */
  private static final int LIMIT_IS_SET = 4;

  private static final int VALUE = 5;

  /**
   * What is over stays until somebody passes: a record that says nothing, and what was done. What
   * says who is there goes with the client's session.
   */
  @Override
  public List<String> of(String namespace) {
    List<String> left = new ArrayList<>();
    for (JsonNode pair : below(ROOT + "h/" + namespace + "/")) {
      String key = decoded(pair.get("key"));
      String[] head = decoded(pair.get("value")).split(" ", -1);
      if (isInUse(head)) {
        left.add("the key " + key + " with " + String.join(" ", head));
      }
    }
    for (JsonNode pair : below(ROOT + "e/" + namespace + "/r/")) {
      String claim = decoded(pair.get("value"));
      if (!claim.startsWith("DONE ")) {
        left.add("the key " + decoded(pair.get("key")) + " with " + claim);
      }
    }
    return left;
  }

  private static boolean isInUse(String[] head) {
    return switch (head[1]) {
      case "lock" -> head.length > FIELDS_OF_A_FREE_LOCK;
      case "permits" -> head[LIMIT_IS_SET].equals("true");
      case "cell" -> !head[VALUE].equals("~");
      case "client" -> false;
      default -> true;
    };
  }

  private JsonNode below(String prefix) {
    String after = prefix.substring(0, prefix.length() - 1) + "0"; // which follows the slash
    String request =
        JSON.createObjectNode()
            .put("key", encoded(prefix))
            .put("range_end", encoded(after))
            .toString();
    try {
      return JSON.readTree(server.get().post("/v3/kv/range", request)).path("kvs");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(JsonNode base64) {
    return new String(Base64.getDecoder().decode(base64.asText()), StandardCharsets.UTF_8);
  }
}
