package io.lockkeeper.testkit.tck.store;

import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import io.lockkeeper.spi.record.RecordStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Records of which no more is shown than has to be: the first entries, and those asked for by name.
 * They are fewer than asked for, because the queues of tests are short.
 */
public final class RecordPages extends DelegatingRecords {

  private final IntSupplier length;

  /**
   * Creates it.
   *
   * @param records answers with all there is
   * @param length says, for each answer, how many of the first entries it shows
   */
  public RecordPages(RecordStore records, IntSupplier length) {
    super(records);
    this.length = length;
  }

  @Override
  public CompletionStage<List<Outcome<Reading>>> read(List<ReadRequest> requests) {
    return records.read(requests).thenApply(all -> each(requests, all, this::page));
  }

  @Override
  public CompletionStage<List<Outcome<CommitAnswer>>> commit(List<Change> changes) {
    return records.commit(changes).thenApply(all -> each(changes, all, this::page));
  }

  private static <Q, A> List<Outcome<A>> each(
      List<Q> requests, List<Outcome<A>> outcomes, BiFunction<Q, A, A> page) {
    List<Outcome<A>> pages = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      pages.add(
          outcomes.get(i) instanceof Outcome.Answered<A> answered
              ? Outcome.answered(page.apply(requests.get(i), answered.answer()))
              : outcomes.get(i));
    }
    return pages;
  }

  private CommitAnswer page(Change change, CommitAnswer answer) {
    return answer instanceof CommitAnswer.Conflict conflict && conflict.found() != null
        ? new CommitAnswer.Conflict(page(change.otherwise(), conflict.found()))
        : answer;
  }

  private Reading page(@Nullable ReadRequest request, Reading all) {
    String head = all.head();
    int size = all.entries().size();
    int first = request != null && request.first() == ReadRequest.ALL ? size : length.getAsInt();
    if (head == null || first >= size || !all.isComplete()) {
      return all;
    }
    List<Entry> own =
        request == null
            ? List.of()
            : all.entries().stream()
                .filter(entry -> entry.name().startsWith(request.own()))
                .toList();
    return Reading.page(all.version(), head, all.entries().subList(0, first), own).at(all.moment());
  }
}
