package io.lockkeeper.lab.scene;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All scenes, in the order in which they are best looked at. */
final class Scenes {

  /**
   * Columns: name, instances, lock, stock, load, strategy, broken, fault, cure, reported, about.
   */
  private static final String TABLE =
      """
      none|2|SQL|SQL|SHOWN|none|none|OVERLAP|update|2047-3268 (oversold)|without a lock two orders sell the same piece
      singleton|1|SQL|SQL|EXACT|jvm|none|OVERLAP|jvm|544-554|a JVM lock in a singleton, one instance: right
      synchronized|1|SQL|SQL|EXACT|synchronized|none|OVERLAP|synchronized||a synchronized method of a singleton, one instance: right
      prototype|1|SQL|SQL|SHOWN|prototype|prototype|OVERLAP|jvm||a JVM lock in a prototype bean: a lock for each call
      transaction|1|SQL|SQL|SHOWN|insideTransaction|insideTransaction|COMMIT|outsideTransaction||a JVM lock inside @Transactional: released before the commit
      instances|2|SQL|SQL|SHOWN|jvm|jvm|OVERLAP|lock||a JVM lock, two instances: each has its own
      update|2|SQL|SQL|SHOWN|update|none|OVERLAP|update|1850-2224|one SQL statement that takes a piece if one is left
      for-update|2|SQL|SQL|SHOWN|forUpdate|none|OVERLAP|forUpdate|600|SELECT FOR UPDATE: the row is locked until the commit
      for-update-scan|2|SQL|SQL|SHOWN|forUpdateIndexed|forUpdateScan|OTHER_ROW|forUpdateIndexed||SELECT FOR UPDATE by a column without an index: other rows are locked too (MariaDB, MySQL)
      deadlock|2|SQL|SQL|SHOWN|pairSorted|pair|DEADLOCK|pairSorted||SELECT FOR UPDATE of two rows: a deadlock, unless all lock them in one order
      version|2|SQL|SQL|SHOWN|version|none|OVERLAP|version|48-229|a version column, with bounded retry
      watch|2|REDIS|REDIS|SHOWN|watch|none|OVERLAP|watch|370|Redis: WATCH, MULTI, EXEC, with bounded retry
      redis-1|2|REDIS|REDIS|SHOWN|exists|exists|FREE|setnxBare||Redis, rung 1: EXISTS, then SET
      redis-2|2|REDIS|REDIS|SHOWN|setnxBare|setnxBare|KILL|expiry|549-605|Redis, rung 2: SET NX
      redis-3|2|REDIS|REDIS|SHOWN|expiry|expiry|LATE_RELEASE|owner||Redis, rung 3: SET NX PX
      redis-4|2|REDIS|REDIS|SHOWN|owner|owner|COMPARED|setnx||Redis, rung 4: the owner's value, GET and DEL
      redis-5|2|REDIS|REDIS|SHOWN|setnx|setnx|NESTED|hash|650|Redis, rung 5: compared and deleted in Lua
      redis-6|2|REDIS|REDIS|SHOWN|hash|hash|OUTLIVE|renewal|626|Redis, rung 6: a re-entrant hash
      redis-7|2|REDIS|SQL|SHOWN|renewal|renewal|FROZEN|lockFenced|553|Redis, rung 7: renewal, which a frozen process does not do
      ephemeral|2|ZOOKEEPER|SQL|LIGHT|ephemeral|ephemeral|HERD|sequential|300-380|ZooKeeper: one ephemeral node wakes up all that wait
      sequential|2|ZOOKEEPER|SQL|SHOWN|sequential|none|OVERLAP|sequential|559-612|ZooKeeper: a line of sequential nodes
      curator|2|ZOOKEEPER|SQL|LIGHT|curator|none|OVERLAP|curator|458|Curator's mutex
      lock-table|2|SQL|SQL|SHOWN|lockTable|lockTable|KILL|lock|194|SQL: a row with a unique key; that of a dead holder stays
      redisson|2|REDIS|REDIS|SHOWN|redisson|none|OVERLAP|redisson|873|Redisson's lock
      redissonFair|2|REDIS|REDIS|SHOWN|redissonFair|none|OVERLAP|redissonFair||Redisson's fair lock
      frozen|2|REDIS|SQL|EXACT|lockFenced|lock|FROZEN|lockFenced||a holder stands still for longer than its lease; its token keeps its late write out
      cache-breakdown|2|REDIS|REDIS|SHOWN|cacheGuard|cachePlain|BREAKDOWN|cacheGuard||a hot key expires: all load it
      cache-avalanche|2|REDIS|REDIS|SHOWN|cacheGuardMany|cachePlainMany|AVALANCHE|cacheGuardMany||many keys that were loaded together expire together, unless there is jitter
      cache-penetration|2|REDIS|REDIS|SHOWN|cacheGuardMissing|cachePlainMissing|PENETRATION|cacheGuardMissing||a key that does not exist: each request for it asks the database
      """;

  /** The same for each place: its own locks, and those by annotation. */
  private static final String PLACES =
      """
      lock%1$s|2|%2$s|%4$s|EXACT|lock|none|OVERLAP|lock||Lockkeeper's lock() in %3$s
      fairLock%1$s|2|%2$s|%4$s|EXACT|fairLock|none|OVERLAP|fairLock||Lockkeeper's fairLock() in %3$s
      locked%1$s|2|%2$s|SQL|EXACT|locked|insideTransaction|COMMIT|locked||Lockkeeper's @Locked in %3$s, around @Transactional
      lockedFair%1$s|2|%2$s|SQL|EXACT|lockedFair|insideTransaction|COMMIT|lockedFair||Lockkeeper's @Locked(mode = FAIR) in %3$s, around @Transactional
      """;

  private static final List<Scene> ALL = all();

  private Scenes() {}

  private static List<Scene> all() {
    List<Scene> all = new ArrayList<>(TABLE.lines().map(Scenes::read).toList());
    for (Place place : Place.values()) {
      Place stock = place == Place.REDIS ? Place.REDIS : Place.SQL;
      PLACES
          .formatted(place.suffix(), place, place.title(), stock)
          .lines()
          .map(Scenes::read)
          .forEach(all::add);
    }
    return List.copyOf(all);
  }

  private static Scene read(String row) {
    String[] cells = row.split("\\|", -1);
    return new Scene(
        cells[0],
        cells[10],
        Integer.parseInt(cells[1]),
        Place.valueOf(cells[2]),
        Place.valueOf(cells[3]),
        cells[5],
        cells[6],
        Fault.valueOf(cells[7]),
        cells[8],
        cells[9],
        Scene.Load.valueOf(cells[4]));
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
