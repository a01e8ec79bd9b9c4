package io.lockkeeper.redis;

import io.lockkeeper.ResourceKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The scripts that run inside the server, one per operation. Each file begins with its keys,
 * arguments and answers.
 */
final class Script {

  /** How a line begins that stands for another file, which no file does first. */
  private static final String INCLUDE = "\n-- include ";

  /** How a line calls a command. */
  private static final Pattern COMMAND = Pattern.compile("(?:call|])\\('([A-Z]+)'");

  private static final String VERSION = ".v1";

  /** Of resources; what stands behind the key of the record in each key, by kind. */
  private static final List<byte[]> LOCK_KEYS = suffixes("", ":q", ":w");

  private static final List<byte[]> PAIR_KEYS = suffixes("", ":q", ":w", ":e");
  private static final List<byte[]> SEMAPHORE_KEYS = suffixes("", ":q", ":w", ":e", ":l");
  private static final List<byte[]> BARRIER_KEYS = suffixes("", ":q", ":w", ":e", ":x");

  /** The same where changes of a semaphore's limit are remembered. */
  private static final List<byte[]> LIMIT_KEYS = suffixes("", ":q", ":w", ":e", ":l", ":x");

  /** The keys that there are while somebody holds it and nobody waits. */
  private static final List<byte[]> RECORD = suffixes("");

  private static final List<byte[]> RECORD_AND_GRANTS = suffixes("", ":e");

  static final Script CLAIM = new Script("claim");
  static final Script RELEASE = new Script("release");
  static final Script WITHDRAW = new Script("withdraw");
  static final Script RENEW = new Script("renew");
  static final Script LOOK = new Script("look");
  static final Script INSPECT = new Script("inspect");
  static final Script FORCE = new Script("force");
  static final Script RESIZE = new Script("resize");

  /** Of cells; {@link CellCalls} adds the keys. */
  static final Script CELL_UPDATE = new Script("cell-update");

  static final Script CELL_READ = new Script("cell-read");

  /** Of the namespace as a whole; {@link Directory} adds the keys. */
  static final Script RESOURCES = new Script("resources");

  static final Script SCAN = new Script("scan");

  /** Of the server; {@link Opener} calls it. */
  static final Script GREET = new Script("greet");

  static final Script CLIENT = new Script("client");
  static final Script CLIENTS = new Script("clients");

  static final List<Script> ALL =
      List.of(
          CLAIM,
          RELEASE,
          WITHDRAW,
          RENEW,
          LOOK,
          INSPECT,
          FORCE,
          RESIZE,
          CELL_UPDATE,
          CELL_READ,
          RESOURCES,
          SCAN,
          GREET,
          CLIENT,
          CLIENTS);

  private final String file;

  /**
   * Made at the first use: a process that lives for a moment calls a few of the scripts, and to put
   * all together takes longer than that. Null until then; several threads may make the same.
   */
  private volatile @Nullable Form form;

  /** The text, and what follows from it. */
  private static final class Form {

    private final byte[] text;
    private final String sha;
    private final byte[] namedHead;

    Form(byte[] text) {
      this.text = text;
      this.sha = sha1(text);
      this.namedHead = new Request().add("EVALSHA").add(sha).bytes();
    }
  }

  private Script(String operation) {
    this.file = operation + VERSION;
  }

  private Form form() {
    Form known = form;
    if (known == null) {
      known = new Form(assemble(file).getBytes(StandardCharsets.UTF_8));
      form = known;
    }
    return known;
  }

  /** Returns the name of its file, without the ending. */
  String file() {
    return file;
  }

  private static List<byte[]> suffixes(String... suffixes) {
    return Stream.of(suffixes).map(end -> end.getBytes(StandardCharsets.US_ASCII)).toList();
  }

  /** Returns what stands behind the key of a record in each key of a resource of this kind. */
  List<byte[]> keySuffixes(ResourceKind kind) {
    return switch (kind) {
      case READ_WRITE_LOCK -> PAIR_KEYS;
      case SEMAPHORE -> this == RESIZE ? LIMIT_KEYS : SEMAPHORE_KEYS;
      case BARRIER -> BARRIER_KEYS;
      default -> LOCK_KEYS;
    };
  }

  /**
   * Returns the same for calls with fewer keys, in the order to try them. A cluster runs a script
   * on keys whose slot it is moving only if all of them are on one node, and one that is not there
   * at all counts as being elsewhere; so such a call has only keys that are there. The script does
   * what can be done with them and answers TRYAGAIN if that is nothing.
   */
  static List<List<byte[]>> fewerSuffixes(ResourceKind kind) {
    return kind.isExclusive() ? List.of(RECORD) : List.of(RECORD_AND_GRANTS, RECORD);
  }

  /** Returns the whole script. */
  byte[] text() {
    return form().text.clone();
  }

  /** Returns the name under which the server knows it once it has seen it. */
  String sha() {
    return form().sha;
  }

  /** Returns the script that a server knows under this name; null if it is none of these. */
  static @Nullable Script named(String sha) {
    return ALL.stream().filter(script -> script.sha().equals(sha)).findFirst().orElse(null);
  }

  /** Returns the command that is called in a line, counted from 1, or the last one before it. */
  @Nullable String commandAt(int line) {
    String[] lines = new String(form().text, StandardCharsets.UTF_8).split("\n", -1);
    for (int i = Math.min(line, lines.length) - 1; i >= 0; i--) {
      Matcher call = COMMAND.matcher(lines[i]);
      if (call.find()) {
        return call.group(1);
      }
    }
    return null;
  }

  /** Returns the beginning of a request that names the script. Not to be changed. */
  byte[] namedHead() {
    return form().namedHead;
  }

  /** Returns the beginning of a request that carries the script. */
  byte[] carriedHead() {
    return new Request().add("EVAL").add(form().text).bytes();
  }

  /**
   * Reads a file, with what it includes in the place of the lines that say so. Without a pattern,
   * which costs a process that lives for a moment a hundredth of a second or two.
   */
  private static String assemble(String file) {
    String text = read(file);
    StringBuilder whole = new StringBuilder();
    int rest = 0;
    for (int at = text.indexOf(INCLUDE); at >= 0; at = text.indexOf(INCLUDE, rest - 1)) {
      int end = text.indexOf('\n', at + 1);
      whole.append(text, rest, at + 1);
      whole.append(assemble(text.substring(at + INCLUDE.length(), end) + VERSION));
      rest = end + 1;
    }
    return whole.append(text, rest, text.length()).toString();
  }

  private static String read(String file) {
    String path = "lua/" + file + ".lua";
    try (InputStream in = Script.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(byte[] text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
