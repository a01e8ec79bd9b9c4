package io.lockkeeper.lab.oversell.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.shop.Article;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A client of etcd, shared by all threads of the process. An article's stock is the value of a key,
 * its orders are keys below it with their tokens as values.
 */
public final class EtcdLine implements AutoCloseable {

  private static final Pattern PLAIN =
      Pattern.compile("etcd://([^/?#@]+)(?:[/?#].*)?", Pattern.CASE_INSENSITIVE);
  private static final int ANSWER_SECONDS = 10;

  private final String endpoint;
  private final Client client;
  private final KV kv;
  private final String seller = UUID.randomUUID().toString();
  private final AtomicLong sales = new AtomicLong();

  private EtcdLine(String[] endpoints) {
    this.endpoint = endpoints[0];
    this.client = Client.builder().endpoints(endpoints).build();
    this.kv = client.getKVClient();
  }

  /**
   * Checks that it can connect to such a URL, without connecting.
   *
   * @throws IllegalArgumentException if not
   */
  public static void check(String url) {
    endpoints(url);
  }

  private static String[] endpoints(String url) {
    Matcher plain = PLAIN.matcher(url);
    if (!plain.matches()) {
      throw new IllegalArgumentException(
          "must be a URL such as etcd://localhost:2379, without a user and TLS");
    }
    return Stream.of(plain.group(1).split(",", -1))
        .map(host -> "http://" + host)
        .toArray(String[]::new);
  }

  /**
   * Connects.
   *
   * @throws CannotRunException if no server is in reach
   */
  public static EtcdLine connect(String url) {
    EtcdLine line = new EtcdLine(endpoints(url));
    try {
      line.version();
      return line;
    } catch (IllegalStateException e) {
      line.close();
      throw new CannotRunException(
          "cannot connect to "
              + url
              + " ("
              + e.getMessage()
              + "); start etcd there, or correct --store",
          e);
    }
  }

  /** Returns the version of the first server. */
  public String version() {
    return answer(client.getMaintenanceClient().statusMember(endpoint)).getVersion();
  }

  /** Puts pieces of an article on the shelf, with no orders yet. */
  public void fill(Article article, long pieces) {
    clear(article);
    answer(kv.put(stock(article), bytes(pieces)));
  }

  /** Removes an article and all that was recorded about it. */
  public void clear(Article article) {
    answer(kv.delete(bytes(key(article)), DeleteOption.builder().isPrefix(true).build()));
  }

  /** Reads how many pieces are left. */
  public long stockLeft(Article article) {
    return number(answer(kv.get(stock(article))).getKvs().get(0));
  }

  /** Records an order and writes the stock in one step. */
  public void sell(Article article, long left, long token) {
    ByteSequence order = bytes(orders(article) + seller + "-" + sales.incrementAndGet());
    answer(
        kv.txn()
            .Then(
                Op.put(stock(article), bytes(left), PutOption.DEFAULT),
                Op.put(order, bytes(token), PutOption.DEFAULT))
            .commit());
  }

  /** Reads the tokens of all orders, in the order in which they were recorded. */
  public void tokens(Article article, LongConsumer each) {
    GetOption all = GetOption.builder().isPrefix(true).build();
    answer(kv.get(bytes(orders(article)), all)).getKvs().stream()
        .sorted(Comparator.comparingLong(KeyValue::getCreateRevision))
        .forEach(order -> each.accept(number(order)));
  }

  private static String key(Article article) {
    return article.shortName() + "/";
  }

  private static ByteSequence stock(Article article) {
    return bytes(key(article) + "stock");
  }

  private static String orders(Article article) {
    return key(article) + "orders/";
  }

  private static long number(KeyValue pair) {
    return Long.parseLong(pair.getValue().toString(StandardCharsets.UTF_8));
  }

  private static ByteSequence bytes(Object content) {
    return ByteSequence.from(content.toString(), StandardCharsets.UTF_8);
  }

  /**
   * Waits for an answer.
   *
   * @throws IllegalStateException if etcd refuses or is out of reach
   */
  private static <T> T answer(CompletableFuture<T> asked) {
    try {
      return asked.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException(String.valueOf(e.getCause()), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
