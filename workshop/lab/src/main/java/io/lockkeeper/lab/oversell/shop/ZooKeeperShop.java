package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperArticle;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperLine;
import java.util.Map;

/** A shop in ZooKeeper: the stock is the data of a node, the orders are the nodes below it. */
final class ZooKeeperShop implements Shop {

  private static final String REQUESTS = "requests";

  private final ZooKeeperLine line;

  private ZooKeeperShop(ZooKeeperLine line) {
    this.line = line;
  }

  static ZooKeeperShop open(String url) {
    return new ZooKeeperShop(ZooKeeperLine.connect(url));
  }

  @Override
  public String server() {
    String version = line.status("Zookeeper version:").orElse("");
    return "ZooKeeper " + version.replaceAll("[-, ].*", "");
  }

  @Override
  public void fill(Article article, long stock) {
    clear(article);
    call(
        client -> {
          new ZooKeeperArticle(line, article).create(client, stock);
          return true;
        });
  }

  @Override
  public Books read(Article article) {
    return call(
        client -> {
          ZooKeeperArticle node = new ZooKeeperArticle(line, article);
          TokenCheck tokens = new TokenCheck();
          node.tokens(client, tokens::add);
          return new Books(node.read(client).pieces(), tokens.orders(), tokens.regressions());
        });
  }

  @Override
  public void clear(Article article) {
    call(
        client -> {
          new ZooKeeperArticle(line, article).delete(client);
          return true;
        });
  }

  @Override
  public Map<String, Long> commandCalls() {
    return line.status("Received:")
        .map(number -> Map.of(REQUESTS, Long.parseLong(number)))
        .orElse(Map.of());
  }

  @Override
  public Map<String, Long> orderCalls(long reads, long sales) {
    return Map.of(REQUESTS, reads + sales);
  }

  private <T> T call(ZooKeeperLine.Work<T> work) {
    try {
      return line.call(work);
    } catch (IllegalStateException e) {
      throw new CannotRunException("the store does not play along: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    line.close();
  }
}
