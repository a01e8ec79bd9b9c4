package io.lockkeeper.memory;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.rule.CellContent;
import io.lockkeeper.spi.rule.CellRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One cell: what it holds, who watches it, and what the last update of each client did. */
final class CellResource {

  /** The result of a client's last update. */
  private record Remembered(long batch, List<CellResult> results, long untilMicros) {}

  private final CellId id;
  private final Map<String, Long> watchers = new HashMap<>();
  private final Map<String, Remembered> remembered = new HashMap<>();
  private CellContent content = CellContent.NONE;

  CellResource(CellId id) {
    this.id = id;
  }

  /** Makes an update; returns its results, or null if the client has made a later one before. */
  @Nullable List<CellResult> update(ServerStep step, CellUpdate update) {
    begin(step.nowMicros());
    Remembered last = remembered.get(step.clientId());
    if (last != null && last.batch() >= update.batch()) {
      return last.batch() == update.batch() ? last.results() : null;
    }
    CellRule.Updated made = CellRule.update(content, update, CellRule.Writing.at(step.nowMicros()));
    content = made.after();
    remembered.put(
        step.clientId(),
        new Remembered(update.batch(), made.results(), step.afterMillis(update.rememberMillis())));
    if (made.isChange()) {
      tellWatchers(step);
    }
    return made.results();
  }

  CellState read(ServerStep step, CellRead read) {
    begin(step.nowMicros());
    if (read.watch()) {
      watchers.put(step.clientId(), step.heartbeatMicros());
    } else {
      watchers.remove(step.clientId());
    }
    return content.state(read.knownVersion(), content.end() - step.nowMicros());
  }

  boolean isPresent(long nowMicros) {
    return content.at(nowMicros).isPresent();
  }

  boolean isWatched(long nowMicros) {
    return watchers.values().stream().anyMatch(end -> nowMicros < end);
  }

  /** Returns whether nothing would be lost with it. */
  boolean isForgettable(long nowMicros) {
    return !isPresent(nowMicros)
        && !isWatched(nowMicros)
        && content.version() < nowMicros
        && remembered.values().stream().allMatch(last -> last.untilMicros() <= nowMicros);
  }

  /** Notices what is over. */
  private void begin(long nowMicros) {
    content = content.at(nowMicros);
    watchers.values().removeIf(end -> nowMicros >= end);
    remembered.values().removeIf(last -> nowMicros >= last.untilMicros());
  }

  /** Tells the other clients that watch, and forgets that they do. */
  private void tellWatchers(ServerStep step) {
    Long mine = watchers.remove(step.clientId());
    watchers.keySet().forEach(client -> step.outbox().cellChanged(client, id));
    watchers.clear();
    if (mine != null) {
      watchers.put(step.clientId(), mine);
    }
  }
}
