package io.lockkeeper.lab.oversell.zookeeper;

import io.lockkeeper.lab.oversell.shop.Article;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * The requests about one article: its stock is the data of a node, its orders are numbered nodes
 * below it with their tokens in their names.
 */
public final class ZooKeeperArticle {

  /** A stock as it was read. */
  public record Stock(long pieces, int version) {}

  /** Stands for any version. */
  public static final int ANY_VERSION = -1;

  private static final int DELETES_AT_ONCE = 500;
  private static final int DIGITS_OF_NUMBER = 10;

  private final String stock;

  /** Creates the requests. */
  public ZooKeeperArticle(ZooKeeperLine line, Article article) {
    this.stock = line.path() + "/" + article.shortName();
  }

  /** Makes the node. */
  public void create(ZooKeeper client, long pieces) throws KeeperException, InterruptedException {
    for (int slash = stock.indexOf('/', 1); slash > 0; slash = stock.indexOf('/', slash + 1)) {
      try {
        client.create(
            stock.substring(0, slash), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      } catch (KeeperException.NodeExistsException e) {
        // as it should be
      }
    }
    client.create(stock, bytes(pieces), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
  }

  /** Deletes the node and all below. */
  public void delete(ZooKeeper client) throws KeeperException, InterruptedException {
    try {
      List<Op> deletes = new ArrayList<>();
      for (String order : client.getChildren(stock, false)) {
        deletes.add(Op.delete(stock + "/" + order, ANY_VERSION));
      }
      for (int from = 0; from < deletes.size(); from += DELETES_AT_ONCE) {
        client.multi(deletes.subList(from, Math.min(deletes.size(), from + DELETES_AT_ONCE)));
      }
      client.delete(stock, ANY_VERSION);
    } catch (KeeperException.NoNodeException e) {
      // nothing to delete
    }
  }

  /** Reads the stock. */
  public Stock read(ZooKeeper client) throws KeeperException, InterruptedException {
    Stat about = new Stat();
    byte[] data = client.getData(stock, false, about);
    return new Stock(
        Long.parseLong(new String(data, StandardCharsets.US_ASCII)), about.getVersion());
  }

  /**
   * Records an order and writes the stock in one step.
   *
   * @return false if the stock has another version
   */
  public boolean sell(ZooKeeper client, long pieces, int version, long token)
      throws KeeperException, InterruptedException {
    try {
      client.multi(
          List.of(
              Op.setData(stock, bytes(pieces), version),
              Op.create(
                  stock + "/t" + token + "-",
                  new byte[0],
                  Ids.OPEN_ACL_UNSAFE,
                  CreateMode.PERSISTENT_SEQUENTIAL)));
      return true;
    } catch (KeeperException.BadVersionException e) {
      return false;
    }
  }

  /** Reads the tokens of all orders, in the order in which they were recorded. */
  public void tokens(ZooKeeper client, LongConsumer each)
      throws KeeperException, InterruptedException {
    client.getChildren(stock, false).stream()
        .sorted(Comparator.comparing(ZooKeeperArticle::number))
        .forEach(order -> each.accept(token(order)));
  }

  private static String number(String order) {
    return order.substring(order.length() - DIGITS_OF_NUMBER);
  }

  private static long token(String order) {
    return Long.parseLong(order.substring(1, order.length() - DIGITS_OF_NUMBER - 1));
  }

  private static byte[] bytes(long pieces) {
    return Long.toString(pieces).getBytes(StandardCharsets.US_ASCII);
  }
}
