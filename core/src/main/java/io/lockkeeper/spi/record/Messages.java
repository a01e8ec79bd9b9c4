package io.lockkeeper.spi.record;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.Notice;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/** Writes and reads what clients send to each other: the notifications of the protocol. */
final class Messages {

  private Messages() {}

  /** Returns a notice of the rule as a message. */
  static Message of(ResourceId resource, Notice notice, Times times) {
    String what = Fields.line(resource.kind().name(), Fields.escaped(resource.name()));
    if (notice instanceof Notice.Granted granted) {
      return new Message(notice.client(), "granted " + what + " " + write(granted.grant(), times));
    }
    String kind = notice instanceof Notice.Contended ? "contended" : "revoked";
    return new Message(notice.client(), kind + " " + what);
  }

  /** Returns the message that another client has changed a cell. */
  static Message changed(String client, CellId cell) {
    return new Message(client, Fields.line("changed", cell.kind(), Fields.escaped(cell.name())));
  }

  /**
   * Passes a message on; one that is of no known kind comes from a later version.
   *
   * @param decided when a decision on a resource was made, given the time that it was written with
   */
  static void deliver(
      String text, NotificationListener listener, ToLongBiFunction<ResourceId, String> decided) {
    try {
      Fields.read(text, fields -> deliver(fields, listener, decided));
    } catch (ForeignRecordException unknown) {
      listener.reconnected(); // asks about everything
    }
  }

  private static boolean deliver(
      Fields fields, NotificationListener listener, ToLongBiFunction<ResourceId, String> decided) {
    String kind = fields.word();
    if (kind.equals("changed")) {
      listener.cellChanged(new CellId(CellKind.valueOf(fields.word()), fields.text()));
      return true;
    }
    ResourceId id = new ResourceId(ResourceKind.valueOf(fields.word()), fields.text());
    switch (kind) {
      case "granted" -> listener.granted(id, grant(fields, time -> decided.applyAsLong(id, time)));
      case "contended" -> listener.contended(id);
      case "revoked" -> listener.revoked(id);
      default -> throw new IllegalArgumentException(kind);
    }
    return true;
  }

  private static String write(Grant grant, Times times) {
    return Fields.line(
        grant.grant(),
        Fields.numbers(grant.claims()),
        grant.firstToken(),
        grant.lastToken(),
        times.write(grant.storeMicros()),
        grant.leaseMicros(),
        grant.othersWait(),
        grant.confirmed());
  }

  private static Grant grant(Fields fields, ToLongFunction<String> decided) {
    long number = fields.number();
    List<Long> claims = fields.longs();
    long firstToken = fields.number();
    long lastToken = fields.number();
    long storeMicros = decided.applyAsLong(fields.word());
    long leaseMicros = fields.number();
    boolean othersWait = fields.flag();
    return new Grant(
        number, claims, firstToken, lastToken, storeMicros, leaseMicros, othersWait, fields.flag());
  }
}
