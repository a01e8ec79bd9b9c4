package io.lockkeeper.redis;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.rule.CellRule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The requests about cells, and their answers. */
final class CellCalls {

  private static final byte[] WATCHERS = ":w".getBytes(StandardCharsets.US_ASCII);
  private static final int FOREIGN = -1;
  private static final int ABSENT = 0;
  private static final int PRESENT = 1;
  private static final int UNCHANGED = 2;
  private static final int FIELDS_PER_RESULT = 4;
  private static final Verdict[] VERDICTS = {
    Verdict.DONE, Verdict.UNMET, Verdict.NOT_A_NUMBER, Verdict.OVERFLOW
  };

  private final Keyspace keyspace;
  private final byte[] clientId;
  private final byte[] memory;
  private final Timings timings;
  private final byte @Nullable [] index;

  /**
   * Creates it.
   *
   * @param isIndexed whether there is an index that names what there is
   */
  CellCalls(Keyspace keyspace, String clientId, Timings timings, boolean isIndexed) {
    this.index = isIndexed ? keyspace.index() : null;
    this.keyspace = keyspace;
    this.clientId = clientId.getBytes(StandardCharsets.US_ASCII);
    this.memory = (":u:" + clientId).getBytes(StandardCharsets.US_ASCII);
    this.timings = timings;
  }

  byte[] key(CellId cell) {
    return keyspace.cell(cell);
  }

  // ------------------------------------------------------------- requests

  Request update(byte[] key, CellUpdate update) {
    Request request =
        new Request().add(index == null ? 3 : 4).add(key).add(key, WATCHERS).add(key, memory);
    if (index != null) {
      request.add(index);
    }
    request
        .add(clientId)
        .add(update.batch())
        .add(update.rememberMillis())
        .add(timings.tombstoneMillis());
    update.changes().forEach(change -> add(request, change));
    return request;
  }

  private static void add(Request request, CellChange change) {
    if (change instanceof CellChange.Create create) {
      request.add("c").add(create.value().bytes()).add(create.ttlMillis());
    } else if (change instanceof CellChange.Put put) {
      request.add("p").add(put.value().bytes()).add(put.ttlMillis());
    } else if (change instanceof CellChange.Replace replace) {
      request.add("r").add(replace.version());
      request.add(replace.value().bytes()).add(replace.ttlMillis());
    } else if (change instanceof CellChange.ReplaceNumber replace) {
      request.add("n").add(replace.expected()).add(replace.number());
    } else if (change instanceof CellChange.Add add) {
      Long floor = add.floor();
      request.add("a").add(add.delta()).add(floor == null ? "" : Long.toString(floor));
      request.add(add.create() ? 1 : 0);
    } else if (change instanceof CellChange.Raise raise) {
      request.add("m").add(raise.number());
    } else {
      request.add("d");
    }
  }

  Request read(List<byte[]> keys, List<CellRead> batch, int[] group, boolean toConfirm) {
    Request request = new Request().add(2L * group.length);
    for (int i : group) {
      request.add(keys.get(i)).add(keys.get(i), WATCHERS);
    }
    request.add(clientId).add(timings.heartbeatMillis()).add(toConfirm ? 1 : 0);
    for (int i : group) {
      request.add(batch.get(i).watch() ? 1 : 0).add(batch.get(i).knownVersion());
    }
    return request;
  }

  // ------------------------------------------------------------- answers

  static Call.Reading<Outcome<CellUpdated>> updated(byte[] key, CellUpdate update) {
    return new Call.Reading<>() {
      @Override
      public Outcome<CellUpdated> of(Reply reply) {
        if (reply.nextIsText()) {
          return Outcome.answered(new CellUpdated(results(reply.nextText())));
        }
        return reply.nextNumber() == FOREIGN
            ? Failure.foreign(new String(key, StandardCharsets.UTF_8)).toOutcome()
            : Outcome.refused(StoreProblem.OTHER, CellRule.cameLate(update));
      }

      @Override
      public Outcome<CellUpdated> of(Failure failure) {
        return failure.toOutcome();
      }
    };
  }

  /** Reads what an update did: its number, and four fields for each change. */
  static List<CellResult> results(String text) {
    String[] fields = text.split(" ", -1);
    List<CellResult> results = new ArrayList<>();
    for (int i = 1; i < fields.length; i += FIELDS_PER_RESULT) {
      results.add(
          new CellResult(
              VERDICTS[Integer.parseInt(fields[i])],
              Long.parseLong(fields[i + 1]),
              Long.parseLong(fields[i + 2]),
              Long.parseLong(fields[i + 3])));
    }
    return results;
  }

  static CellState state(Reply reply) {
    int code = (int) reply.nextNumber();
    return switch (code) {
      case ABSENT -> new CellState.Absent();
      case PRESENT -> {
        long version = reply.nextNumber();
        long born = reply.nextNumber();
        CellValue value = CellValue.of(reply.nextBytes());
        yield new CellState.Present(version, born, value, reply.nextNumber());
      }
      case UNCHANGED -> new CellState.Unchanged(reply.nextNumber(), reply.nextNumber());
      case FOREIGN -> throw new ReplyDecoder.ForeignRecordException();
      default -> throw new IllegalStateException("a script answered the unknown code " + code);
    };
  }
}
