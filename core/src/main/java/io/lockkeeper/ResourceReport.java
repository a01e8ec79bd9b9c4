package io.lockkeeper;

import io.lockkeeper.spi.Inspection;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A report on one resource: its holders and waiters, as the store saw it at one moment.
 *
 * @param kind its kind
 * @param name its name
 * @param limit how many permits there are: 1 for a lock, the number of parties of a barrier; empty
 *     for a read-write lock, which has no limit, and if nobody has set it
 * @param holders its holders, in order of their tokens; of a barrier, the members that have just
 *     passed
 * @param waiters its waiters, in the order of the queue
 */
public record ResourceReport(
    ResourceKind kind,
    String name,
    OptionalInt limit,
    List<HolderReport> holders,
    List<WaiterReport> waiters) {

  /** Copies the lists. */
  public ResourceReport {
    holders = List.copyOf(holders);
    waiters = List.copyOf(waiters);
  }

  /**
   * Returns the report as maps, lists, strings, numbers, booleans and nulls, to be written as JSON:
   * the form of {@code lockkeeper list --json} and of the actuator's endpoint. Times are in
   * milliseconds, and the kind is such as {@code read-write-lock}.
   */
  public Map<String, @Nullable Object> toMap() {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("kind", kind.id());
    map.put("limit", orNull(limit));
    map.put("holders", holders.stream().map(ResourceReport::map).toList());
    map.put("waiters", waiters.stream().map(ResourceReport::map).toList());
    return map;
  }

  private static Map<String, @Nullable Object> map(HolderReport holder) {
    Map<String, @Nullable Object> map = map(holder.client(), holder.thread());
    map.put("token", holder.token());
    map.put("permits", orNull(holder.permits()));
    map.put("heldMillis", holder.held().toMillis());
    map.put("leaseLeftMillis", holder.leaseLeft().toMillis());
    map.put("resting", holder.resting());
    return map;
  }

  private static Map<String, @Nullable Object> map(WaiterReport waiter) {
    Map<String, @Nullable Object> map = map(waiter.client(), waiter.thread());
    map.put("position", waiter.position());
    map.put("permits", orNull(waiter.permits()));
    map.put("waitedMillis", waiter.waited().toMillis());
    return map;
  }

  private static Map<String, @Nullable Object> map(ClientInfo client, @Nullable String thread) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("clientId", client.id());
    map.put("client", client.name());
    map.put("host", client.host());
    map.put("pid", client.pid());
    map.put("thread", thread);
    return map;
  }

  private static @Nullable Integer orNull(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }

  /** Returns whether nobody holds it and nobody waits. */
  public boolean isIdle() {
    return holders.isEmpty() && waiters.isEmpty();
  }

  /**
   * Returns a holder as people call it: {@code thread 'worker' of shop-1}. A lock may be handed off
   * from thread to thread inside its client, which the store does not see: {@code a thread of
   * shop-1}, until a renewal names it.
   */
  public String describe(HolderReport holder) {
    return holder.resting()
        ? holder.client().toString()
        : named(holder.client(), holder.thread(), "a thread of ");
  }

  /**
   * Returns a waiter as people call it, as {@link #describe(HolderReport)} does. Threads of another
   * client that wait for one lock share a place: {@code one or more threads of shop-1}.
   */
  public String describe(WaiterReport waiter) {
    return named(waiter.client(), waiter.thread(), "one or more threads of ");
  }

  private String named(ClientInfo client, @Nullable String thread, String unknown) {
    if (thread != null) {
      return "thread '" + thread + "' of " + client;
    }
    boolean isForgotten = client.id().equals(Inspection.Holder.FORGOTTEN);
    return (kind == ResourceKind.LOCK && !isForgotten ? unknown : "") + client;
  }

  /**
   * Returns the holder and the number of waiters as a sentence, such as for a line of a log: {@code
   * lock 'stock' is held by a thread of shop-1 (host-7, process 4711) for 12.3 s; 2 wait}.
   */
  public String summary() {
    StringBuilder text = new StringBuilder(kind + " '" + name + "' is held by ");
    if (holders.isEmpty()) {
      text.append("nobody");
    } else {
      HolderReport first = holders.get(0);
      ClientInfo client = first.client();
      text.append(describe(first));
      if (client.host() != null && client.pid() != null) {
        text.append(" (").append(client.host()).append(", process ").append(client.pid());
        text.append(')');
      }
      text.append(" for ").append(Leases.text(first.held().truncatedTo(ChronoUnit.MILLIS)));
      if (holders.size() > 1) {
        text.append(", and ").append(holders.size() - 1).append(" more");
      }
    }
    return text.append("; ").append(waiters.size()).append(" wait").toString();
  }
}
