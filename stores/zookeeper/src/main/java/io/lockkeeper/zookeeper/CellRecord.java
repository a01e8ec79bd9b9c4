package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.rule.CellContent;
import io.lockkeeper.spi.rule.CellRule;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The content of a cell's node: its value, and what the last update of each client did.
 *
 * <p>A node that is about to be written does not know yet when that will be, in transactions or in
 * the server's time. So a version below zero means <i>the so-manieth change of this writing</i>,
 * and a time below zero <i>so many milliseconds after this writing</i>; {@link #resolved} puts in
 * what the server says about the writing.
 *
 * @param content what the cell holds; its end is in milliseconds on the server's clock
 * @param memories by client id, what its last update did
 */
record CellRecord(CellContent content, Map<String, Memory> memories) {

  /** A cell that never was. */
  static final CellRecord NONE = new CellRecord(CellContent.NONE, Map.of());

  /** Leaves open what is not known before the writing. */
  static final CellRule.Writing WRITING =
      new CellRule.Writing() {
        @Override
        public long version(long latest) {
          return Math.min(latest, 0) - 1;
        }

        @Override
        public long end(long ttlMillis) {
          return -ttlMillis;
        }
      };

  /** How far the versions of one writing are from those of the next: more than its changes. */
  private static final int VERSION_BITS = 7;

  /** How long a node that is to be deleted is kept after that has been decided. */
  static final long PARTING_MILLIS = 120_000;

  /** Stands for a client in the record of a node that is to be deleted. */
  private static final String NOBODY = "-";

  private static final String HEAD = "lockkeeper-cell1";
  private static final Verdict[] VERDICTS = {
    Verdict.DONE, Verdict.UNMET, Verdict.NOT_A_NUMBER, Verdict.OVERFLOW
  };
  private static final int FIELDS_PER_RESULT = 4;

  /**
   * The result of a client's last update.
   *
   * @param batch its number
   * @param untilMillis how long it is to be known, on the server's clock
   * @param results what became of its changes
   */
  record Memory(long batch, long untilMillis, List<CellResult> results) {

    Memory {
      results = List.copyOf(results);
    }
  }

  CellRecord {
    memories = Map.copyOf(memories);
  }

  /** Returns a record of nothing, which is kept for a while after its writing. */
  static CellRecord parting() {
    return new CellRecord(
        CellContent.NONE, Map.of(NOBODY, new Memory(0, -PARTING_MILLIS, List.of())));
  }

  boolean isPresent() {
    return content.isPresent();
  }

  @Nullable CellValue value() {
    return content.value();
  }

  long version() {
    return content.version();
  }

  long endMillis() {
    return content.end();
  }

  /** Returns it with an update that a client has made, and which it remembers. */
  CellRecord with(CellRule.Updated made, String clientId, CellUpdate update) {
    Map<String, Memory> all = new TreeMap<>(memories);
    long untilMillis = -Math.max(1, update.rememberMillis());
    all.put(clientId, new Memory(update.batch(), untilMillis, made.results()));
    return new CellRecord(made.after(), all);
  }

  /** Returns whether nothing would be lost with it. */
  boolean isForgettable() {
    return !isPresent() && memories.isEmpty();
  }

  /** Returns it without its value, whose time to live is over. */
  CellRecord ended() {
    return new CellRecord(content.ended(), memories);
  }

  /** Returns it without what surely nobody asks for any more. */
  CellRecord withoutMemoriesUntil(long nowMillis) {
    Map<String, Memory> left = new TreeMap<>(memories);
    left.values().removeIf(memory -> memory.untilMillis() <= nowMillis);
    return new CellRecord(content, left);
  }

  // ------------------------------------------------------------- numbers of the writing

  /** Returns it as it is after a writing that the server describes so. */
  CellRecord resolved(Stat stat) {
    Map<String, Memory> resolved = new TreeMap<>();
    memories.forEach((client, memory) -> resolved.put(client, resolved(memory, stat)));
    return new CellRecord(
        new CellContent(
            content.value(),
            version(content.version(), stat),
            version(content.born(), stat),
            time(content.end(), stat)),
        resolved);
  }

  private static Memory resolved(Memory memory, Stat stat) {
    return new Memory(
        memory.batch(), time(memory.untilMillis(), stat), resolved(memory.results(), stat));
  }

  /** Returns results with the versions that a writing has given. */
  static List<CellResult> resolved(List<CellResult> results, Stat stat) {
    return results.stream()
        .map(
            result ->
                new CellResult(
                    result.verdict(),
                    version(result.version(), stat),
                    result.before(),
                    result.number()))
        .toList();
  }

  private static long version(long version, Stat stat) {
    return version < 0 ? (stat.getMzxid() << VERSION_BITS) - version : version;
  }

  private static long time(long millis, Stat stat) {
    return millis < 0 ? Math.min(CellContent.NEVER - 1, stat.getMtime() - millis) : millis;
  }

  // ------------------------------------------------------------- bytes

  /**
   * Returns it as the data of a node: lines for people and machines, and the value as it is. Of the
   * results, all but the verdicts are written as differences, which are small.
   */
  byte[] write() {
    StringBuilder text = new StringBuilder(HEAD);
    CellValue value = content.value();
    text.append(' ').append(value == null ? '-' : '+');
    text.append(' ').append(content.born());
    text.append(' ').append(content.version()).append(' ').append(content.end());
    new TreeMap<>(memories).forEach((client, memory) -> write(text, client, memory));
    text.append("\n\n");
    byte[] head = text.toString().getBytes(StandardCharsets.UTF_8);
    byte[] tail = value == null ? new byte[0] : value.bytes();
    return ByteBuffer.allocate(head.length + tail.length).put(head).put(tail).array();
  }

  private static void write(StringBuilder text, String client, Memory memory) {
    text.append('\n').append(client);
    text.append(' ').append(memory.batch()).append(' ').append(memory.untilMillis());
    long version = 0;
    long number = 0;
    for (CellResult result : memory.results()) {
      text.append(' ').append(Arrays.asList(VERDICTS).indexOf(result.verdict()));
      text.append(' ').append(result.version() - version);
      text.append(' ').append(result.before() - number);
      text.append(' ').append(result.number() - result.before());
      version = result.version();
      number = result.number();
    }
  }

  /**
   * Reads the data of a node; fails with {@link ZkFailures.ForeignRecordException} if it is none.
   */
  static CellRecord read(String path, byte[] data, Stat stat) {
    try {
      int blank = blankLine(data);
      String[] lines = new String(data, 0, blank, StandardCharsets.UTF_8).split("\n", -1);
      String[] head = lines[0].split(" ", -1);
      if (!head[0].equals(HEAD)) {
        throw new ZkFailures.ForeignRecordException(path);
      }
      Map<String, Memory> memories = new TreeMap<>();
      for (int i = 1; i < lines.length; i++) {
        String[] fields = lines[i].split(" ", -1);
        memories.put(fields[0], readMemory(fields));
      }
      boolean isPresent = head[1].equals("+");
      CellContent content =
          new CellContent(
              isPresent ? CellValue.of(Arrays.copyOfRange(data, blank + 2, data.length)) : null,
              Long.parseLong(head[3]),
              Long.parseLong(head[2]),
              Long.parseLong(head[4]));
      return new CellRecord(content, memories).resolved(stat);
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new ZkFailures.ForeignRecordException(path);
    }
  }

  private static int blankLine(byte[] data) {
    int at = 0;
    while (data[at] != '\n' || data[at + 1] != '\n') {
      at++;
    }
    return at;
  }

  private static Memory readMemory(String[] fields) {
    List<CellResult> results = new ArrayList<>();
    long version = 0;
    long number = 0;
    for (int i = 3; i < fields.length; i += FIELDS_PER_RESULT) {
      version += Long.parseLong(fields[i + 1]);
      long before = number + Long.parseLong(fields[i + 2]);
      number = before + Long.parseLong(fields[i + 3]);
      results.add(new CellResult(VERDICTS[Integer.parseInt(fields[i])], version, before, number));
    }
    return new Memory(Long.parseLong(fields[1]), Long.parseLong(fields[2]), results);
  }
}
