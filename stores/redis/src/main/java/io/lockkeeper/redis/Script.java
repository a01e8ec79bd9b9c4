package io.lockkeeper.redis;

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
import org.jspecify.annotations.Nullable;

/**
 * The scripts that run inside the server, one per operation and form of record: locks have one of
 * their own, all that is shared has the other. Each file begins with its keys, arguments and
 * answers.
 */
final class Script {

  /** How a line begins that stands for another file, which no file does first. */
  private static final String INCLUDE = "\n-- include ";

  /** How a line calls a command. */
  private static final Pattern COMMAND = Pattern.compile("(?:call|])\\('([A-Z]+)'");

  private static final String VERSION = ".v1";

  /** The part of the other keys of a lock behind the key of the record. */
  private static final List<String> LOCK_KEYS = List.of("", ":q", ":w");

  /** The same for what is shared. */
  private static final List<String> POOL_KEYS = List.of("", ":q", ":w", ":e", ":l");

  /** The same where requests come that are remembered. */
  private static final List<String> POOL_MEMORY_KEYS = List.of("", ":q", ":w", ":e", ":l", ":x");

  /** The keys of a lock that there are while nobody waits. */
  private static final List<String> RECORD = List.of("");

  /** The keys of what is shared that there are while somebody holds a part of it. */
  private static final List<String> RECORD_AND_ENDS = List.of("", ":e");

  static final Script CLAIM = new Script("claim", LOCK_KEYS, RECORD);
  static final Script RELEASE = new Script("release", LOCK_KEYS, RECORD);
  static final Script REST = new Script("rest", LOCK_KEYS, RECORD);
  static final Script WITHDRAW = new Script("withdraw", LOCK_KEYS, RECORD);
  static final Script RENEW = new Script("renew", LOCK_KEYS, RECORD);
  static final Script LOOK = new Script("look", LOCK_KEYS, RECORD);
  static final Script INSPECT = new Script("inspect", LOCK_KEYS, RECORD);
  static final Script FORCE = new Script("force", LOCK_KEYS, RECORD);

  static final Script POOL_CLAIM = new Script("pool-claim", POOL_MEMORY_KEYS);
  static final Script POOL_RELEASE = new Script("pool-release", POOL_KEYS, RECORD_AND_ENDS);
  static final Script POOL_WITHDRAW = new Script("pool-withdraw", POOL_MEMORY_KEYS);
  static final Script POOL_RENEW = new Script("pool-renew", POOL_KEYS, RECORD_AND_ENDS);
  static final Script POOL_LOOK = new Script("pool-look", POOL_KEYS);
  static final Script POOL_INSPECT = new Script("pool-inspect", POOL_KEYS);
  static final Script POOL_FORCE = new Script("pool-force", POOL_KEYS);
  static final Script POOL_RESIZE = new Script("pool-resize", POOL_MEMORY_KEYS);

  /** Of cells; {@link CellCalls} adds the keys. */
  static final Script CELL_UPDATE = new Script("cell-update", List.of());

  static final Script CELL_READ = new Script("cell-read", List.of());

  /** Of the namespace as a whole; {@link Directory} adds the keys. */
  static final Script RESOURCES = new Script("resources", List.of());

  static final Script SCAN = new Script("scan", List.of());

  /** Of the server; {@link Opener} calls it. */
  static final Script GREET = new Script("greet", List.of());

  static final Script CLIENT = new Script("client", List.of());
  static final Script CLIENTS = new Script("clients", List.of());

  static final List<Script> ALL =
      List.of(
          CLAIM,
          RELEASE,
          REST,
          WITHDRAW,
          RENEW,
          LOOK,
          INSPECT,
          FORCE,
          POOL_CLAIM,
          POOL_RELEASE,
          POOL_WITHDRAW,
          POOL_RENEW,
          POOL_LOOK,
          POOL_INSPECT,
          POOL_FORCE,
          POOL_RESIZE,
          CELL_UPDATE,
          CELL_READ,
          RESOURCES,
          SCAN,
          GREET,
          CLIENT,
          CLIENTS);

  private final String file;
  private final List<byte[]> keySuffixes;
  private final List<byte[]> fewerSuffixes;

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

  private Script(String operation, List<String> keySuffixes) {
    this(operation, keySuffixes, List.of());
  }

  private Script(String operation, List<String> keySuffixes, List<String> fewerSuffixes) {
    this.file = operation + VERSION;
    this.keySuffixes = bytes(keySuffixes);
    this.fewerSuffixes = bytes(fewerSuffixes);
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

  private static List<byte[]> bytes(List<String> suffixes) {
    return suffixes.stream().map(end -> end.getBytes(StandardCharsets.US_ASCII)).toList();
  }

  /** Returns what stands behind the key of a record in each key of a resource. */
  List<byte[]> keySuffixes() {
    return keySuffixes;
  }

  /**
   * Returns the same for the form of the script that does with fewer keys, or nothing if there is
   * none. A cluster runs a script on keys whose slot it is moving only if all of them are on one
   * node, and one that is not there at all counts as being elsewhere; so this form has only keys
   * that are there. It does what can be done with them and answers TRYAGAIN if that is nothing.
   */
  List<byte[]> fewerSuffixes() {
    return fewerSuffixes;
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
