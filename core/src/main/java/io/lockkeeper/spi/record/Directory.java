package io.lockkeeper.spi.record;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.support.ClientEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The clients of a namespace: a record for each that has not closed. */
final class Directory {

  private static final String FORMAT = "1";
  private static final long PAUSE_NANOS = 1_000_000_000;

  private final RecordStore port;
  private final Keys keys;
  private final CasLoop steps;
  private volatile boolean isClosed;

  Directory(RecordStore port, Keys keys, CasLoop steps) {
    this.port = port;
    this.keys = keys;
    this.steps = steps;
  }

  /** Writes a client down, if need be again until that is answered. */
  void announce(ClientInfo client) {
    Outcomes.whenKnown(
        write(client, line(client)),
        outcome -> {
          if (outcome instanceof Outcome.Unknown && !isClosed) {
            steps.later(PAUSE_NANOS, () -> announce(client));
          }
        });
  }

  /** Deletes what was written down. */
  CompletionStage<Outcome<Boolean>> leave(ClientInfo client) {
    isClosed = true;
    return write(client, null);
  }

  private CompletionStage<Outcome<Boolean>> write(ClientInfo client, @Nullable String head) {
    String key = keys.ofClient(client.id());
    return steps.take(
        key,
        Courier.express(port),
        reading ->
            Decision.of(
                reading,
                Outcome.answered(true),
                new Change(
                    key,
                    reading.version(),
                    head,
                    List.of(),
                    List.of(),
                    List.of(),
                    head != null,
                    null)));
  }

  /** Returns the clients that are written down, of those with these ids. */
  CompletionStage<Outcome<List<ClientInfo>>> find(List<String> ids) {
    List<String> distinct = ids.stream().distinct().toList();
    return Gather.all(
        port::read,
        distinct.stream().map(id -> ReadRequest.all(keys.ofClient(id))).toList(),
        readings -> read(distinct, readings));
  }

  private static List<ClientInfo> read(List<String> ids, List<Reading> readings) {
    List<ClientInfo> found = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      String head = readings.get(i).head();
      String id = ids.get(i);
      if (head != null) {
        found.add(Fields.read(head, fields -> read(id, fields)));
      }
    }
    return found;
  }

  private static ClientInfo read(String id, Fields fields) {
    fields.expect(FORMAT).expect("client");
    return new ClientInfo(
        id, fields.optional(), fields.optional(), ClientEntry.known(fields.number()));
  }

  private static String line(ClientInfo client) {
    return Fields.line(
        FORMAT,
        "client",
        Fields.escaped(client.name()),
        Fields.escaped(client.host()),
        ClientEntry.stored(client.pid()));
  }
}
