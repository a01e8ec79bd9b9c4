package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.lab.oversell.etcd.EtcdLine;

/** A seller's view of a shop in etcd. */
record EtcdTill(EtcdLine line) implements Till {

  static EtcdTill open(String url) {
    return new EtcdTill(EtcdLine.connect(url));
  }

  @Override
  public long stockLeft(Article article) {
    return line.stockLeft(article);
  }

  @Override
  public void sell(Article article, long leftAfterwards, long token) {
    line.sell(article, leftAfterwards, token);
  }

  @Override
  public void close() {
    line.close();
  }
}
