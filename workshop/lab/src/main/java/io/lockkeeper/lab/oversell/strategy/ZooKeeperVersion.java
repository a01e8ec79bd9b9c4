package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperArticle;
import io.lockkeeper.lab.oversell.zookeeper.ZooKeeperLine;
import java.util.Optional;

/** The node's own version: who finds that it has changed since the reading tries again. */
final class ZooKeeperVersion extends StoreStrategy {

  ZooKeeperVersion() {
    super(
        "setData",
        "setData with the version read, at most " + Attempts.MOST + " attempts",
        StoreKind.ZOOKEEPER);
  }

  @Override
  public Sellers open(GuardContext context) {
    ZooKeeperLine line = ZooKeeperLine.connect(context.storeUrl());
    Attempts attempts = new Attempts(context.seed());
    return new Sellers() {
      @Override
      public Seller seller(Article article) {
        ZooKeeperArticle node = new ZooKeeperArticle(line, article);
        return () -> attempts.run(() -> attempt(line, node));
      }

      @Override
      public void close() {
        line.close();
      }
    };
  }

  private static Optional<Sale> attempt(ZooKeeperLine line, ZooKeeperArticle node) {
    long turnNanos = System.nanoTime();
    ZooKeeperArticle.Stock stock = line.call(node::read);
    if (stock.pieces() <= 0) {
      return Optional.of(new Sale(false, turnNanos));
    }
    long left = stock.pieces() - 1;
    boolean sold = line.call(client -> node.sell(client, left, stock.version(), Guard.NO_TOKEN));
    return sold ? Optional.of(new Sale(true, turnNanos)) : Optional.empty();
  }
}
