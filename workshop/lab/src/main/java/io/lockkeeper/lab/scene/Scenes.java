package io.lockkeeper.lab.scene;

import static io.lockkeeper.lab.scene.Place.REDIS;
import static io.lockkeeper.lab.scene.Place.SQL;
import static io.lockkeeper.lab.scene.Place.ZOOKEEPER;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All scenes, in the order in which they are best looked at. */
final class Scenes {

  private static final List<Scene> ALL = all();

  private Scenes() {}

  private static List<Scene> all() {
    List<Scene> all = new ArrayList<>();
    all.add(
        new Scene(
            "none",
            "without a lock two orders sell the same piece",
            2,
            SQL,
            SQL,
            "none",
            "none",
            Fault.OVERLAP,
            "update",
            "2047-3268 (oversold)"));
    all.add(
        new Scene(
                "singleton",
                "a JVM lock in a singleton, one instance: right",
                1,
                SQL,
                SQL,
                "jvm",
                "none",
                Fault.OVERLAP,
                "jvm",
                "544-554")
            .exactly());
    all.add(
        new Scene(
                "synchronized",
                "a synchronized method of a singleton, one instance: right",
                1,
                SQL,
                SQL,
                "synchronized",
                "none",
                Fault.OVERLAP,
                "synchronized",
                "")
            .exactly());
    all.add(
        new Scene(
            "prototype",
            "a JVM lock in a prototype bean: a lock for each call",
            1,
            SQL,
            SQL,
            "prototype",
            "prototype",
            Fault.OVERLAP,
            "jvm",
            ""));
    all.add(
        new Scene(
            "transaction",
            "a JVM lock inside @Transactional: released before the commit",
            1,
            SQL,
            SQL,
            "insideTransaction",
            "insideTransaction",
            Fault.COMMIT,
            "outsideTransaction",
            ""));
    all.add(
        new Scene(
            "instances",
            "a JVM lock, two instances: each has its own",
            2,
            SQL,
            SQL,
            "jvm",
            "jvm",
            Fault.OVERLAP,
            "lock",
            ""));
    all.add(
        new Scene(
            "update",
            "one SQL statement that takes a piece if one is left",
            2,
            SQL,
            SQL,
            "update",
            "none",
            Fault.OVERLAP,
            "update",
            "1850-2224"));
    all.add(
        new Scene(
            "for-update",
            "SELECT FOR UPDATE: the row is locked until the commit",
            2,
            SQL,
            SQL,
            "forUpdate",
            "none",
            Fault.OVERLAP,
            "forUpdate",
            "600"));
    all.add(
        new Scene(
            "for-update-scan",
            "SELECT FOR UPDATE by a column without an index: other rows are locked too (MariaDB, MySQL)",
            2,
            SQL,
            SQL,
            "forUpdateIndexed",
            "forUpdateScan",
            Fault.OTHER_ROW,
            "forUpdateIndexed",
            ""));
    all.add(
        new Scene(
            "deadlock",
            "SELECT FOR UPDATE of two rows: a deadlock, unless all lock them in one order",
            2,
            SQL,
            SQL,
            "pairSorted",
            "pair",
            Fault.DEADLOCK,
            "pairSorted",
            ""));
    all.add(
        new Scene(
            "version",
            "a version column, with bounded retry",
            2,
            SQL,
            SQL,
            "version",
            "none",
            Fault.OVERLAP,
            "version",
            "48-229"));
    all.add(
        new Scene(
            "watch",
            "Redis: WATCH, MULTI, EXEC, with bounded retry",
            2,
            REDIS,
            REDIS,
            "watch",
            "none",
            Fault.OVERLAP,
            "watch",
            "370"));
    all.addAll(ladder());
    all.addAll(zooKeeper());
    all.add(
        new Scene(
            "lock-table",
            "SQL: a row with a unique key; that of a dead holder stays",
            2,
            SQL,
            SQL,
            "lockTable",
            "lockTable",
            Fault.KILL,
            "lock",
            "194"));
    all.addAll(libraries());
    all.add(
        new Scene(
                "frozen",
                "a holder stands still for longer than its lease; its token keeps its late write out",
                2,
                REDIS,
                SQL,
                "lockFenced",
                "lock",
                Fault.FROZEN,
                "lockFenced",
                "")
            .exactly());
    all.add(cache("cache-breakdown", "a hot key expires: all load it", "", Fault.BREAKDOWN));
    all.add(
        cache(
            "cache-avalanche",
            "many keys that were loaded together expire together, unless there is jitter",
            "Many",
            Fault.AVALANCHE));
    all.add(
        cache(
            "cache-penetration",
            "a key that does not exist: each who asks asks the database",
            "Missing",
            Fault.PENETRATION));
    return List.copyOf(all);
  }

  private static Scene cache(String name, String about, String keys, Fault fault) {
    return new Scene(
        name,
        about,
        2,
        REDIS,
        REDIS,
        "cacheGuard" + keys,
        "cachePlain" + keys,
        fault,
        "cacheGuard" + keys,
        "");
  }

  private static List<Scene> ladder() {
    return List.of(
        rung(1, "EXISTS, then SET", "exists", Fault.FREE, "setnxBare", ""),
        rung(2, "SET NX", "setnxBare", Fault.KILL, "expiry", "549-605"),
        rung(3, "SET NX PX", "expiry", Fault.LATE_RELEASE, "owner", ""),
        rung(4, "the owner's value, GET and DEL", "owner", Fault.COMPARED, "setnx", ""),
        rung(5, "compared and deleted in Lua", "setnx", Fault.NESTED, "hash", "650"),
        rung(6, "a re-entrant hash", "hash", Fault.OUTLIVE, "renewal", "626"),
        new Scene(
            "redis-7",
            "Redis, rung 7: renewal, which a frozen process does not do",
            2,
            REDIS,
            SQL,
            "renewal",
            "renewal",
            Fault.FROZEN,
            "lockFenced",
            "553"));
  }

  private static Scene rung(
      int number, String what, String strategy, Fault fault, String next, String reported) {
    return new Scene(
        "redis-" + number,
        "Redis, rung " + number + ": " + what,
        2,
        REDIS,
        REDIS,
        strategy,
        strategy,
        fault,
        next,
        reported);
  }

  private static List<Scene> zooKeeper() {
    return List.of(
        new Scene(
                "ephemeral",
                "ZooKeeper: one ephemeral node wakes up all that wait",
                2,
                ZOOKEEPER,
                SQL,
                "ephemeral",
                "ephemeral",
                Fault.HERD,
                "sequential",
                "300-380")
            .lighter(),
        cured("sequential", "ZooKeeper: a line of sequential nodes", ZOOKEEPER, "559-612"),
        cured("curator", "Curator's mutex", ZOOKEEPER, "458").lighter());
  }

  private static List<Scene> libraries() {
    List<Scene> all = new ArrayList<>();
    all.add(cured("redisson", "Redisson's lock", REDIS, "873"));
    all.add(cured("redissonFair", "Redisson's fair lock", REDIS, ""));
    for (Place store : Place.values()) {
      String where = store.suffix();
      for (String lock : List.of("lock", "fairLock")) {
        all.add(
            new Scene(
                    lock + where,
                    "Lockkeeper's " + lock + "() in " + store.title(),
                    2,
                    store,
                    store == REDIS ? REDIS : SQL,
                    lock,
                    "none",
                    Fault.OVERLAP,
                    lock,
                    "")
                .exactly());
      }
      for (String bean : List.of("locked", "lockedFair")) {
        all.add(
            new Scene(
                    bean + where,
                    "Lockkeeper's @Locked"
                        + (bean.equals("locked") ? "" : "(mode = FAIR)")
                        + " in "
                        + store.title()
                        + ", around @Transactional",
                    2,
                    store,
                    SQL,
                    bean,
                    "insideTransaction",
                    Fault.COMMIT,
                    bean,
                    "")
                .exactly());
      }
    }
    return all;
  }

  /** A lock that is right where none is wrong. */
  private static Scene cured(String strategy, String about, Place store, String reported) {
    return new Scene(
        strategy,
        about,
        2,
        store,
        store == REDIS ? REDIS : SQL,
        strategy,
        "none",
        Fault.OVERLAP,
        strategy,
        reported);
  }

  /** Returns all. */
  static List<Scene> list() {
    return ALL;
  }

  /** Returns the one of this name. */
  static Optional<Scene> find(String name) {
    return ALL.stream().filter(scene -> scene.name().equals(name)).findFirst();
  }
}
