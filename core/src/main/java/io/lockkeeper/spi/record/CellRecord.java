package io.lockkeeper.spi.record;

import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.rule.CellContent;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A cell as its record has it: its content is the head, and the others are entries.
 *
 * @param content what it holds
 * @param watchers until when each client watches
 * @param remembered what the last update of each client did
 */
record CellRecord(
    CellContent content, Map<String, Long> watchers, Map<String, Remembered> remembered) {

  /** The outcome of a client's last update. */
  record Remembered(long batch, long untilMicros, List<CellResult> results) {}

  private static final String FORMAT = "1";
  private static final String WATCHER = "w/";
  private static final String UPDATE = "u/";

  /** Reads a record, without what is over. */
  static CellRecord read(Reading reading, Times times) {
    long now = times.now();
    String head = reading.head();
    CellContent content =
        head == null
            ? new CellContent(null, ResourceHead.floor(reading.version()), 0, CellContent.NEVER)
            : Fields.read(head, fields -> content(fields, times)).at(now);
    Map<String, Long> watchers = new LinkedHashMap<>();
    Map<String, Remembered> remembered = new LinkedHashMap<>();
    for (Entry entry : reading.entries()) {
      String client = entry.name().substring(WATCHER.length());
      if (entry.name().startsWith(WATCHER)) {
        watchers.put(client, Fields.read(entry.text(), fields -> times.read(fields.word())));
      } else {
        remembered.put(client, Fields.read(entry.text(), fields -> remembered(fields, times)));
      }
    }
    watchers.values().removeIf(end -> now >= end);
    remembered.values().removeIf(last -> now >= last.untilMicros());
    return new CellRecord(content, watchers, remembered);
  }

  private static CellContent content(Fields fields, Times times) {
    fields.expect(FORMAT).expect("cell");
    long version = fields.number();
    long born = fields.number();
    long end = times.read(fields.word());
    String value = fields.word();
    return new CellContent(
        value.equals("~") ? null : CellValue.of(Base64.getDecoder().decode(value)),
        version,
        born,
        end);
  }

  private static Remembered remembered(Fields fields, Times times) {
    return new Remembered(
        fields.number(),
        times.read(fields.word()),
        fields.commas().map(CellRecord::result).toList());
  }

  private static CellResult result(String text) {
    String[] parts = text.split(":", -1);
    return new CellResult(
        CellResult.Verdict.valueOf(parts[0]),
        Long.parseLong(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }

  CellRecord with(CellContent newContent) {
    return new CellRecord(newContent, watchers, remembered);
  }

  /** Ends the watches of all clients but one; returns whose. */
  List<String> dismissWatchers(String except) {
    List<String> dismissed = new ArrayList<>(watchers.keySet());
    dismissed.remove(except);
    watchers.keySet().removeAll(dismissed);
    return dismissed;
  }

  /** Returns the change that writes this, or deletes a record that says nothing any more. */
  Change change(String key, Reading reading, Times times, List<Message> messages) {
    boolean isForgotten =
        !content.isPresent()
            && watchers.isEmpty()
            && remembered.isEmpty()
            && content.version() < Math.max(times.now(), ResourceHead.floor(reading.version() + 1));
    Map<String, String> entries = new LinkedHashMap<>();
    watchers.forEach(
        (client, end) ->
            entries.put(WATCHER + client, times.writeOpen(end, Times.MUCH_LATE_MICROS)));
    remembered.forEach((client, last) -> entries.put(UPDATE + client, write(last, times)));
    List<Entry> put = new ArrayList<>();
    entries.forEach((name, text) -> put.add(new Entry(name, text)));
    put.removeAll(reading.entries());
    return new Change(
        key,
        reading.version(),
        isForgotten ? null : write(content, times),
        reading.entries().stream().map(Entry::name).filter(n -> !entries.containsKey(n)).toList(),
        put,
        messages);
  }

  private static String write(CellContent content, Times times) {
    CellValue value = content.value();
    return Fields.line(
        FORMAT,
        "cell",
        content.version(),
        content.born(),
        times.writeOpen(content.end(), Times.LATE_MICROS),
        value == null ? "~" : Base64.getEncoder().encodeToString(value.bytes()));
  }

  private static String write(Remembered last, Times times) {
    return Fields.line(
        last.batch(),
        times.writeOpen(last.untilMicros(), Times.MUCH_LATE_MICROS),
        last.results().stream().map(CellRecord::write).collect(Collectors.joining(",")));
  }

  private static String write(CellResult result) {
    return result.verdict()
        + ":"
        + result.version()
        + ":"
        + result.before()
        + ":"
        + result.number();
  }
}
