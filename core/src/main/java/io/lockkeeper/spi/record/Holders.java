package io.lockkeeper.spi.record;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.rule.HeldGrant;
import io.lockkeeper.spi.support.RecentlyUsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Looks whether the clients are there that hold something, at a store that {@linkplain
 * RecordStore#provesAbsence proves absence}.
 *
 * <p>A grant was seen before its client's record is looked for, and was made or renewed while that
 * was there. If a current reading shows that it is not, the session has ended in between, and the
 * grant is over; not one that was renewed since it was seen.
 */
final class Holders {

  /** Of how many resources is remembered when was looked. */
  private static final int MOST_RECORDS = 1_000;

  /** How long is not looked again: a little less than between the polls of a claim. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

  private record Look(long atNanos, Set<HeldGrant> grants) {}

  private final RecordStore port;
  private final Keys keys;
  private final TimeSource time;
  private final RecentlyUsed<String, Look> looks = new RecentlyUsed<>(MOST_RECORDS);

  Holders(RecordStore port, Keys keys, TimeSource time) {
    this.port = port;
    this.keys = keys;
    this.time = time;
  }

  /** Returns whether anything can be learned here. */
  boolean canBeGone() {
    return port.provesAbsence();
  }

  /**
   * Returns those of a resource's grants that are over because their clients have gone.
   *
   * @param again whether to look also if all of them were looked at before
   */
  CompletionStage<List<HeldGrant>> gone(String key, List<HeldGrant> held, boolean again) {
    if (held.isEmpty() || !isDue(key, held, again)) {
      return CompletableFuture.completedFuture(List.of());
    }
    List<String> clients = held.stream().map(HeldGrant::client).distinct().toList();
    Courier courier = new Courier(port);
    CompletionStage<List<Outcome<Reading>>> readings =
        Gather.inOrder(
            clients.stream()
                .map(client -> courier.read(new ReadRequest(keys.ofClient(client), 1, "")))
                .toList());
    courier.send();
    return readings.thenApply(all -> ofAbsent(held, clients, all));
  }

  private boolean isDue(String key, List<HeldGrant> held, boolean again) {
    boolean[] isDue = new boolean[1];
    long now = time.nanos();
    looks.replace(
        key,
        last -> {
          isDue[0] =
              last == null
                  || (now - last.atNanos() >= PAUSE_NANOS
                      && (again || !last.grants().containsAll(held)));
          return isDue[0] ? new Look(now, Set.copyOf(held)) : last;
        });
    return isDue[0];
  }

  private static List<HeldGrant> ofAbsent(
      List<HeldGrant> held, List<String> clients, List<Outcome<Reading>> readings) {
    List<String> absent = new ArrayList<>();
    for (int i = 0; i < clients.size(); i++) {
      if (readings.get(i) instanceof Outcome.Answered<Reading> found
          && found.answer().head() == null) {
        absent.add(clients.get(i));
      }
    }
    return held.stream().filter(grant -> absent.contains(grant.client())).toList();
  }
}
