package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperArticle;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperLine;

/** A seller's view of a shop in ZooKeeper. */
final class ZooKeeperTill implements Till {

  private final ZooKeeperLine line;

  private ZooKeeperTill(ZooKeeperLine line) {
    this.line = line;
  }

  static ZooKeeperTill open(String url) {
    return new ZooKeeperTill(ZooKeeperLine.connect(url));
  }

  @Override
  public long stockLeft(Article article) {
    return line.call(client -> new ZooKeeperArticle(line, article).read(client).pieces());
  }

  @Override
  public void sell(Article article, long leftAfterwards, long token) {
    ZooKeeperArticle node = new ZooKeeperArticle(line, article);
    line.call(client -> node.sell(client, leftAfterwards, ZooKeeperArticle.ANY_VERSION, token));
  }

  @Override
  public void close() {
    line.close();
  }
}
