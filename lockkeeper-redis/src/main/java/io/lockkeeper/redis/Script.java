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

/**
 * The scripts that run inside the server, one per operation and form of record: locks have one of
 * their own, all that is shared has the other. Each file begins with its keys, arguments and
 * answers.
 */
final class Script {

  private static final Pattern INCLUDE = Pattern.compile("(?m)^-- include (\\S+)\n");
  private static final String VERSION = ".v1";

  /** What stands behind the key of the record in the other keys of a lock. */
  private static final List<String> LOCK_KEYS = List.of("", ":q", ":w");

  /** The same for what is shared. */
  private static final List<String> POOL_KEYS = List.of("", ":q", ":w", ":e", ":l");

  /** The same where claims come and are taken back. */
  private static final List<String> POOL_CLAIM_KEYS = List.of("", ":q", ":w", ":e", ":l", ":x");

  static final Script CLAIM = new Script("claim", LOCK_KEYS);
  static final Script RELEASE = new Script("release", LOCK_KEYS);
  static final Script WITHDRAW = new Script("withdraw", LOCK_KEYS);
  static final Script RENEW = new Script("renew", LOCK_KEYS);
  static final Script LOOK = new Script("look", LOCK_KEYS);
  static final Script INSPECT = new Script("inspect", LOCK_KEYS);
  static final Script FORCE = new Script("force", LOCK_KEYS);

  static final Script POOL_CLAIM = new Script("pool-claim", POOL_CLAIM_KEYS);
  static final Script POOL_RELEASE = new Script("pool-release", POOL_KEYS);
  static final Script POOL_WITHDRAW = new Script("pool-withdraw", POOL_CLAIM_KEYS);
  static final Script POOL_RENEW = new Script("pool-renew", POOL_KEYS);
  static final Script POOL_LOOK = new Script("pool-look", POOL_KEYS);
  static final Script POOL_INSPECT = new Script("pool-inspect", POOL_KEYS);
  static final Script POOL_FORCE = new Script("pool-force", POOL_KEYS);
  static final Script POOL_RESIZE = new Script("pool-resize", POOL_KEYS);

  /** Of cells; {@link CellCalls} adds the keys. */
  static final Script CELL_UPDATE = new Script("cell-update", List.of());

  static final Script CELL_READ = new Script("cell-read", List.of());

  /** Of the namespace as a whole; {@link Directory} adds the keys. */
  static final Script RESOURCES = new Script("resources", List.of());

  /** Of the server; {@link Opener} calls it. */
  static final Script GREET = new Script("greet", List.of());

  static final Script CLIENT = new Script("client", List.of());
  static final Script CLIENTS = new Script("clients", List.of());

  static final List<Script> ALL =
      List.of(
          CLAIM,
          RELEASE,
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
          GREET,
          CLIENT,
          CLIENTS);

  private final String file;
  private final List<byte[]> keySuffixes;
  private final byte[] text;
  private final String sha;
  private final byte[] namedHead;
  private final byte[] carriedHead;

  private Script(String operation, List<String> keySuffixes) {
    this.file = operation + VERSION;
    this.keySuffixes =
        keySuffixes.stream().map(end -> end.getBytes(StandardCharsets.US_ASCII)).toList();
    this.text = assemble(file).getBytes(StandardCharsets.UTF_8);
    this.sha = sha1(text);
    this.namedHead = new Request().add("EVALSHA").add(sha).bytes();
    this.carriedHead = new Request().add("EVAL").add(text).bytes();
  }

  /** Returns the name of its file, without the ending. */
  String file() {
    return file;
  }

  /** Returns how many keys it needs for each resource. */
  int keys() {
    return keySuffixes.size();
  }

  /** Adds the keys of a resource, whose record is under the given one, to a request. */
  void addKeys(Request request, byte[] record) {
    keySuffixes.forEach(suffix -> request.add(record, suffix));
  }

  /** Returns the whole script. */
  byte[] text() {
    return text.clone();
  }

  /** Returns the name under which the server knows it once it has seen it. */
  String sha() {
    return sha;
  }

  /** Returns the beginning of a request that names the script. Not to be changed. */
  byte[] namedHead() {
    return namedHead;
  }

  /** Returns the beginning of a request that carries the script. Not to be changed. */
  byte[] carriedHead() {
    return carriedHead;
  }

  /** Reads a file, with what it includes in the place of the lines that say so. */
  private static String assemble(String file) {
    return INCLUDE
        .matcher(read(file))
        .replaceAll(line -> Matcher.quoteReplacement(assemble(line.group(1) + VERSION)));
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
