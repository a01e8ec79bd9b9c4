package io.lockkeeper.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The scripts that run inside the server, one per operation. Each file begins with its keys,
 * arguments and answers.
 */
final class Script {

  private static final String COMMON = "common.v1";
  private static final String INCLUDE = "-- include common\n";

  static final Script CLAIM = new Script("claim.v1");
  static final Script RELEASE = new Script("release.v1");
  static final Script WITHDRAW = new Script("withdraw.v1");
  static final Script RENEW = new Script("renew.v1");
  static final Script LOOK = new Script("look.v1");
  static final Script INSPECT = new Script("inspect.v1");
  static final Script FORCE = new Script("force.v1");

  static final Script CELL_UPDATE = new Script("cell-update.v1");
  static final Script CELL_READ = new Script("cell-read.v1");

  static final List<Script> ALL =
      List.of(CLAIM, RELEASE, WITHDRAW, RENEW, LOOK, INSPECT, FORCE, CELL_UPDATE, CELL_READ);

  private final String file;
  private final byte[] text;
  private final String sha;
  private final byte[] namedHead;
  private final byte[] carriedHead;

  private Script(String file) {
    this.file = file;
    this.text = assemble(file).getBytes(StandardCharsets.UTF_8);
    this.sha = sha1(text);
    this.namedHead = new Request().add("EVALSHA").add(sha).bytes();
    this.carriedHead = new Request().add("EVAL").add(text).bytes();
  }

  /** Returns the name of its file, without the ending. */
  String file() {
    return file;
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

  private static String assemble(String file) {
    String script = read(file);
    return script.contains(INCLUDE) ? script.replace(INCLUDE, read(COMMON)) : script;
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
