package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.etcd.EtcdLine;
import java.util.function.Supplier;

/** A shop in etcd: the stock is the value of a key, the orders are the keys below it. */
final class EtcdShop implements Shop {

  private final EtcdLine line;

  private EtcdShop(EtcdLine line) {
    this.line = line;
  }

  static EtcdShop open(String url) {
    return new EtcdShop(EtcdLine.connect(url));
  }

  @Override
  public String server() {
    return "etcd " + call(line::version);
  }

  @Override
  public void fill(Article article, long stock) {
    call(
        () -> {
          line.fill(article, stock);
          return true;
        });
  }

  @Override
  public Books read(Article article) {
    return call(
        () -> {
          TokenCheck tokens = new TokenCheck();
          line.tokens(article, tokens::add);
          return new Books(line.stockLeft(article), tokens.orders(), tokens.regressions());
        });
  }

  @Override
  public void clear(Article article) {
    call(
        () -> {
          line.clear(article);
          return true;
        });
  }

  private static <T> T call(Supplier<T> work) {
    try {
      return work.get();
    } catch (IllegalStateException e) {
      throw new CannotRunException("the store does not play along: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    line.close();
  }
}
