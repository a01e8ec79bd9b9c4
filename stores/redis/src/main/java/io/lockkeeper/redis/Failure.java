package io.lockkeeper.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Why a request got no answer, as far as the engine is concerned. */
sealed interface Failure {

  /** The server said no. */
  record Refusal(StoreProblem problem, String message) implements Failure {
    @Override
    public <T> Outcome<T> toOutcome() {
      return Outcome.refused(problem, message);
    }
  }

  /** The server said "not now", or nothing. */
  record Doubt(Throwable cause) implements Failure {
    @Override
    public <T> Outcome<T> toOutcome() {
      return Outcome.unknown(cause);
    }
  }

  /** Errors of a server that may well answer otherwise in a moment, or on another server. */
  List<String> NOT_NOW =
      List.of(
          "READONLY",
          "LOADING",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "BUSY",
          "MISCONF",
          "NOREPLICAS",
          "UNKILLABLE");

  /** Errors that mean that the account may not do this, of servers and of scripts. */
  List<String> DENIED =
      List.of(
          "NOPERM",
          "WRONGPASS",
          "The user executing the script can't",
          "ACL failure in script",
          "no permissions");

  /** Errors that mean that the server has no such command, or not for scripts. */
  Pattern MISSING =
      Pattern.compile(
          "unknown (?:redis )?command|command is not allowed|not allowed from script",
          Pattern.CASE_INSENSITIVE);

  /** How such an error names a command. */
  Pattern COMMAND = Pattern.compile("command [`'\"]?([A-Za-z|]+)[`'\"]?,|calling ([A-Z]+):");

  /** In place of the words of the server, which are for authors of drivers. */
  String NO_PASSWORD =
      "NOAUTH: the server wants a password, which is in the URL, as in redis://:PASSWORD@host"
          + " (with Spring Boot in spring.data.redis.password)";

  /** How an error names the script in which it came up, and the line. */
  Pattern PLACE = Pattern.compile("(?:script: |f_)([0-9a-f]{40})|user_script: ?(\\d+)");

  /** The name of a script in an error that servers or it raised while it ran. */
  String SCRIPT = "user_script";

  /** Returns this as the outcome of an operation. */
  <T> Outcome<T> toOutcome();

  /** Returns whether a failure has to do with what some key holds, or with where it is. */
  default boolean isOfOneKey() {
    if (this instanceof Doubt doubt) {
      String message = doubt.cause().getMessage();
      return message != null && isTryAgain(message);
    }
    return this instanceof Refusal refusal && refusal.problem == StoreProblem.FOREIGN_RECORD;
  }

  /** Returns whether a node of a cluster says that it has only some of the keys for now. */
  static boolean isTryAgain(String error) {
    return error.startsWith("TRYAGAIN");
  }

  /** Returns whether a node of a cluster says that another one has the key already. */
  static boolean isAsk(String error) {
    return error.startsWith("ASK ");
  }

  /** Returns whether an error is that of a server that does not know a script. */
  static boolean isScriptMissing(String error) {
    return error.startsWith("NOSCRIPT");
  }

  /** Returns whether an error is that of a replica that was asked to write. */
  static boolean isReadOnly(String error) {
    return error.contains("READONLY");
  }

  /**
   * Reads an error that a server replied. Where it comes from inside a script, older servers wrap
   * the error's name in a text of their own, so it is searched for anywhere.
   */
  static Failure ofError(String error, String key, boolean inCluster) {
    if (error.contains("WRONGTYPE")) {
      return wrongType(key);
    }
    if (error.contains("OOM command not allowed")) {
      return new Refusal(StoreProblem.FULL, "the server's memory is full");
    }
    if (error.contains("NOAUTH")) {
      return new Refusal(StoreProblem.DENIED, NO_PASSWORD);
    }
    if (DENIED.stream().anyMatch(error::contains)) {
      String command = command(error);
      return new Refusal(
          StoreProblem.DENIED,
          command == null ? error : "the account may not use " + command + " so: " + error);
    }
    if (MISSING.matcher(error).find()) {
      return new Refusal(StoreProblem.OTHER, missing(error));
    }
    if (isMoved(error)) {
      if (inCluster) {
        return new Doubt(new RedisException(error));
      }
      return new Refusal(
          StoreProblem.OTHER,
          "the server is a node of a cluster; its URL must begin with redis-cluster://");
    }
    if (NOT_NOW.stream().anyMatch(error::contains)) {
      return new Doubt(new RedisException(error));
    }
    if (error.contains(SCRIPT)) {
      return new Refusal(
          StoreProblem.FOREIGN_RECORD, beside(key) + " holds what a script cannot use: " + error);
    }
    return new Refusal(StoreProblem.OTHER, error);
  }

  /**
   * Returns why a server refused a connection; null if none did, or none that might not take one in
   * a moment.
   *
   * @param where the servers, for the message
   * @param failure what the driver says of the connection, or null
   */
  static @Nullable Refusal ofConnecting(String where, @Nullable Throwable failure) {
    Throwable root = failure == null ? null : root(failure);
    if (!(root instanceof RedisCommandExecutionException)) {
      return null;
    }
    String said = String.valueOf(root.getMessage());
    boolean isMoved = said.startsWith("MOVED ");
    if (said.contains("max number of clients")
        || !(ofError(said, "", !isMoved) instanceof Refusal refusal)) {
      return null;
    }
    boolean isOfKey = refusal.problem == StoreProblem.FOREIGN_RECORD; // of which none is known
    return new Refusal(
        refusal.problem, where + " refuses this client: " + (isOfKey ? said : refusal.message));
  }

  /** Returns what a server said, or else the first cause. */
  static Throwable root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && !(root instanceof RedisCommandExecutionException)) {
      root = root.getCause();
    }
    return root;
  }

  /** Says what a server lacks. Its own words may repeat the arguments, with a password in them. */
  private static String missing(String error) {
    String command = command(error);
    return "this server, or a proxy before it, refuses "
        + (command == null ? "a command" : command)
        + ", which Lockkeeper needs: "
        + error.replaceFirst(",? ?with args beginning with.*", "");
  }

  /** Returns the command that an error is about; null if it does not say. */
  private static @Nullable String command(String error) {
    Matcher named = COMMAND.matcher(error);
    if (named.find()) {
      return named.group(1) != null ? named.group(1) : named.group(2);
    }
    Script script = null;
    int line = 0;
    Matcher place = PLACE.matcher(error);
    while (place.find()) {
      if (place.group(1) != null) {
        script = Script.named(place.group(1));
      } else if (line == 0) {
        line = Integer.parseInt(place.group(2));
      }
    }
    return script == null || line == 0 ? null : script.commandAt(line);
  }

  /** The error stands in an answer's place, which no script gives for a record of ours. */
  static Failure unreadable(String key, RuntimeException cause) {
    return new Refusal(
        StoreProblem.FOREIGN_RECORD,
        beside(key) + " holds what cannot be understood: " + cause.getMessage());
  }

  /** One of the keys that a script reads holds something of another type. */
  private static Failure wrongType(String key) {
    return new Refusal(
        StoreProblem.FOREIGN_RECORD,
        beside(key) + " holds something that this version of Lockkeeper did not write");
  }

  private static String beside(String key) {
    return "the key " + key + " or one whose name begins so";
  }

  /** Returns whether a node of a cluster says that it has not, or not yet, the slot of the key. */
  static boolean isMoved(String error) {
    return error.startsWith("MOVED ") || isAsk(error);
  }

  /** The record under this key is not one of ours. */
  static Failure foreign(String key) {
    return new Refusal(
        StoreProblem.FOREIGN_RECORD,
        "the key " + key + " holds something that this version of Lockkeeper did not write");
  }
}
