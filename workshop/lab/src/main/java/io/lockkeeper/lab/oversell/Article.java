package io.lockkeeper.lab.oversell;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * The thing that everybody wants, under a name that no other run uses.
 *
 * @param name letters, digits, colons and dashes
 */
public record Article(String name) {

  /** Returns the article that is sold together with it, where two are sold in one order. */
  public Article second() {
    return new Article(name + "-second");
  }

  public String lockName() {
    return "{" + name + "}:lock";
  }

  public String stockKey() {
    return "{" + name + "}:stock";
  }

  public String ordersKey() {
    return "{" + name + "}:orders";
  }

  /** Returns the name of its table or node, which has only letters, digits and underscores. */
  public String shortName() {
    UUID digest = UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    return "oversell_" + digest.toString().replace("-", "");
  }
}
