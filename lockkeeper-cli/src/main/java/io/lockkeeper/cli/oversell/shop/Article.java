package io.lockkeeper.cli.oversell.shop;

/**
 * The thing that everybody wants, under a name that no other run uses.
 *
 * @param name letters, digits, colons and dashes
 */
public record Article(String name) {

  /** Returns the name of the lock that guards it. */
  public String lockName() {
    return "{" + name + "}:lock";
  }

  String stockKey() {
    return "{" + name + "}:stock";
  }

  String ordersKey() {
    return "{" + name + "}:orders";
  }
}
