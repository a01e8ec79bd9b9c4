package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.scene.Marks.Mark;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A few orders that a fault is made to happen to, on one strategy. What must happen is waited for
 * with patience; what must not happen gets a short time in which it could.
 */
final class Trial {

  /** How long what must happen may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How long what must not happen is waited for: several times what it would take. */
  private static final Duration CHANCE = Duration.ofMillis(300);

  private final HttpClient http;
  private final List<Instance> instances;
  private final String article;
  private final Marks marks;
  private final boolean broken;
  private final Runnable expire;
  private final Supplier<List<Duration>> timesLeft;
  private final List<Order> orders = new ArrayList<>();

  /**
   * Creates it.
   *
   * @param broken whether the strategy is expected to break
   * @param expire ends the lease of the lock's key in Redis
   * @param timesLeft asks Redis how long it keeps each of many cached keys
   */
  Trial(
      HttpClient http,
      List<Instance> instances,
      String article,
      Marks marks,
      boolean broken,
      Runnable expire,
      Supplier<List<Duration>> timesLeft) {
    this.http = http;
    this.instances = instances;
    this.article = article;
    this.marks = marks;
    this.broken = broken;
    this.expire = expire;
    this.timesLeft = timesLeft;
  }

  /** Returns whether the strategy is expected to break. */
  boolean isBroken() {
    return broken;
  }

  Instance first() {
    return instances.get(0);
  }

  Instance last() {
    return instances.get(instances.size() - 1);
  }

  /** Sends an order. It waits at the first of these points, or goes through if there are none. */
  Order order(String id, Instance instance, String pauses) {
    return order(id, instance, pauses, "");
  }

  /** As above, of a special kind. */
  Order order(String id, Instance instance, String pauses, String kind) {
    URI uri =
        URI.create(
            "http://127.0.0.1:"
                + instance.port()
                + "/stock/"
                + article
                + "/deduct?watch="
                + id
                + "&pause="
                + pauses
                + "&kind="
                + kind);
    HttpRequest request = HttpRequest.newBuilder(uri).POST(BodyPublishers.noBody()).build();
    Order order = new Order(id, instance, marks, http.sendAsync(request, BodyHandlers.ofString()));
    var unused = order.answer().whenComplete((answer, failure) -> marks.changed());
    orders.add(order);
    return order;
  }

  void must(String what, BooleanSupplier condition) throws InterruptedException {
    if (!marks.await(condition, PATIENCE)) {
      throw new CannotRunException("waited " + PATIENCE.toSeconds() + " s in vain: " + what);
    }
  }

  /** Waits until an order is at a point, or is done without having come there. */
  void mustBeAt(Order order, String point) throws InterruptedException {
    must(order.id() + " at " + point, () -> order.isAt(point) || order.isDone());
  }

  void mustEnd(Order order) throws InterruptedException {
    must(order.id() + " ends", order::isDone);
  }

  /** Lets orders go on, all at once, and waits for their ends. */
  void letGo(Order... waiting) throws InterruptedException {
    List.of(waiting).forEach(Order::go);
    for (Order order : waiting) {
      mustEnd(order);
    }
  }

  /** Waits for what must happen if the strategy is broken, and must not if it is right. */
  boolean mayOnlyIfBroken(BooleanSupplier condition) throws InterruptedException {
    return mayOnlyIfBroken(condition, CHANCE);
  }

  /** As above, with this much time in which it could happen. */
  boolean mayOnlyIfBroken(BooleanSupplier condition, Duration chance) throws InterruptedException {
    return marks.await(condition, broken ? PATIENCE : chance);
  }

  /** Waits so long for an end that does not come if the strategy is broken; returns whether. */
  boolean hangs(Order order, Duration limit) throws InterruptedException {
    return !marks.await(order::isDone, broken ? limit : PATIENCE);
  }

  /** Returns how often watched orders have been at this point. */
  long count(String point) {
    return marks.all().stream().filter(mark -> mark.point().equals(point)).count();
  }

  /** Ends the lease of the lock's key now, as its time would. */
  void endTheLease() {
    expire.run();
  }

  /** Returns how long each of many cached keys is kept from now on, those that are there. */
  List<Duration> timesLeft() {
    return timesLeft.get();
  }

  List<Order> orders() {
    return List.copyOf(orders);
  }

  List<Mark> marks() {
    return marks.all();
  }
}
