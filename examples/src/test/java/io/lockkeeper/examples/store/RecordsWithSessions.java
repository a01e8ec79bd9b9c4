package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.testkit.tck.store.DelegatingRecords;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Records of a store that notices by itself that a client is gone: what waits stays until the
 * client takes it back or has closed. Nothing that a closed client has sent is carried out. It
 * makes records on any absence.
 */
final class RecordsWithSessions extends DelegatingRecords {

  private final MapsServer server;
  private final String clientId;
  private final Set<String> bound = new HashSet<>();
  private boolean isClosed;

  RecordsWithSessions(MapsServer server, String clientId) {
    super(server.open(clientId));
    this.server = server;
    this.clientId = clientId;
  }

  @Override
  public boolean hasSessions() {
    return true;
  }

  @Override
  public boolean provesAbsence() {
    return true;
  }

  @Override
  public boolean makesOnAnyAbsence() {
    return true;
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return isClosed
        ? CompletableFuture.completedFuture(
            changes.stream()
                .map(
                    change ->
                        Outcome.<CommitAnswer>unknown(new IllegalStateException("session ended")))
                .toList())
        : CompletableFuture.completedFuture(
            changes.stream().map(change -> Outcome.answered(commit(change))).toList());
  }

  /** Returns whether something may be done that demands a record. */
  boolean isThere(@Nullable String demanded) {
    return demanded == null || server.read(demanded).head() != null;
  }

  private CommitAnswer commit(Change change) {
    if (!isThere(change.demanded())) {
      return new CommitAnswer.Absent();
    }
    CommitAnswer answer = commitOnWhatIsThere(change);
    if (answer instanceof CommitAnswer.Committed) {
      if (change.isBound()) {
        bound.add(change.key());
      } else {
        bound.remove(change.key());
      }
    }
    return answer;
  }

  private CommitAnswer commitOnWhatIsThere(Change change) {
    if (change.expected() != Change.ANY_ABSENCE) {
      return server.commit(change);
    }
    Reading found = server.read(change.key());
    return found.head() == null
        ? server.commit(
            new Change(
                change.key(),
                found.version(),
                change.head(),
                change.removed(),
                change.put(),
                change.messages()))
        : new CommitAnswer.Conflict(found);
  }

  @Override
  public void close() {
    isClosed = true;
    records.close();
    server.keys().forEach(this::removeBound);
    for (String key : bound) {
      long version = server.read(key).version();
      server.commit(new Change(key, version, null, List.of(), List.of(), List.of()));
    }
  }

  private void removeBound(String key) {
    Reading reading = server.read(key);
    List<String> names =
        reading.entries().stream()
            .filter(Entry::isBound)
            .map(Entry::name)
            .filter(name -> name.startsWith(clientId + "/"))
            .toList();
    server.commit(new Change(key, reading.version(), reading.head(), names, List.of(), List.of()));
  }
}
