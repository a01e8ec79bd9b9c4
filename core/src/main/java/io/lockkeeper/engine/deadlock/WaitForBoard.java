package io.lockkeeper.engine.deadlock;

import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.support.StoredId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what the clients of a store have told each other about their suspects: one note per client,
 * all in one cell. As text, a line for each note, suspect and thing held, with tabs between the
 * fields: none of the fields can have either.
 */
final class WaitForBoard {

  private static final String TAB = "\t";

  /**
   * One client's note.
   *
   * @param number how many it had written before; a larger one is a later look at the same threads
   * @param suspects its threads
   */
  record Note(long number, List<Suspect> suspects) {

    /** Copies the list. */
    Note {
      suspects = List.copyOf(suspects);
    }
  }

  private final Map<String, Note> notes = new LinkedHashMap<>();

  Map<String, Note> notes() {
    return notes;
  }

  Collection<Suspect> suspects() {
    return notes.values().stream().flatMap(note -> note.suspects().stream()).toList();
  }

  CellValue write() {
    StringBuilder text = new StringBuilder();
    notes.forEach(
        (client, note) -> {
          line(text, "C", client, note.number());
          note.suspects().forEach(suspect -> write(text, suspect));
        });
    return CellValue.of(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(StringBuilder text, Suspect suspect) {
    line(
        text,
        "S",
        clean(suspect.clientName()),
        suspect.breaks() ? 1 : 0,
        suspect.thread(),
        clean(suspect.threadName()),
        suspect.waitNumber(),
        suspect.waitedMillis(),
        suspect.arrival(),
        StoredId.of(suspect.resource()).text(),
        suspect.permits(),
        suspect.limit(),
        suspect.told() ? 1 : 0);
    for (Suspect.Held held : suspect.holds()) {
      line(text, "H", StoredId.of(held.resource()).text(), held.token(), held.permits());
    }
  }

  private static void line(StringBuilder text, Object... fields) {
    for (int i = 0; i < fields.length; i++) {
      text.append(i == 0 ? "" : TAB).append(fields[i]);
    }
    text.append('\n');
  }

  private static String clean(String name) {
    return name.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Reads a board.
   *
   * @throws IllegalArgumentException if it is not one
   */
  static WaitForBoard read(CellValue value) {
    WaitForBoard board = new WaitForBoard();
    try {
      String client = "";
      List<String[]> lines =
          new String(value.bytes(), StandardCharsets.UTF_8)
              .lines()
              .map(line -> line.split(TAB, -1))
              .toList();
      for (int i = 0; i < lines.size(); i++) {
        String[] fields = lines.get(i);
        if (fields[0].equals("C")) {
          client = fields[1];
          board.notes.put(client, new Note(Long.parseLong(fields[2]), List.of()));
        } else if (fields[0].equals("S")) {
          board.add(client, suspect(client, fields, holds(lines, i + 1)));
        }
      }
    } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
      throw new IllegalArgumentException("not a board of waits", malformed);
    }
    return board;
  }

  private void add(String client, Suspect suspect) {
    Note note = notes.get(client);
    if (note != null) {
      List<Suspect> more = new ArrayList<>(note.suspects());
      more.add(suspect);
      notes.put(client, new Note(note.number(), more));
    }
  }

  private static List<Suspect.Held> holds(List<String[]> lines, int from) {
    List<Suspect.Held> holds = new ArrayList<>();
    for (int i = from; i < lines.size() && lines.get(i)[0].equals("H"); i++) {
      String[] fields = lines.get(i);
      holds.add(
          new Suspect.Held(
              StoredId.parse(fields[1]).id(),
              Long.parseLong(fields[2]),
              Integer.parseInt(fields[3])));
    }
    return holds;
  }

  private static Suspect suspect(String client, String[] fields, List<Suspect.Held> holds) {
    return new Suspect(
        client,
        fields[1],
        fields[2].equals("1"),
        Long.parseLong(fields[3]),
        fields[4],
        Long.parseLong(fields[5]),
        Long.parseLong(fields[6]),
        Long.parseLong(fields[7]),
        StoredId.parse(fields[8]).id(),
        Integer.parseInt(fields[9]),
        Integer.parseInt(fields[10]),
        fields[11].equals("1"),
        holds);
  }
}
