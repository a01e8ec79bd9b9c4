package io.lockkeeper.redis;

import io.lockkeeper.spi.Finding;
import java.util.Map;

/** The records that a restart of a Redis server forgets. */
final class Persistence {

  private static final String SUBJECT = "persistence";
  private static final String WAITS =
      ", and nothing is granted until the longest lease has ended (afterLoss=wait)";
  private static final String ASKS =
      ", and nothing is granted for up to 2 seconds, or if a client from before reconnects until the"
          + " longest lease has ended (afterLoss=ask)";

  private Persistence() {}

  static Finding of(ServerInfo server, Map<String, String> info, LossRule loss) {
    String what =
        switch (loss.afterLoss()) {
          case ASK -> ASKS;
          case WAIT -> WAITS;
          case GRANT -> ", and with them who holds what (X1)";
        };
    if (!"ok".equals(info.getOrDefault("rdb_last_bgsave_status", "ok"))
        || !"ok".equals(info.getOrDefault("aof_last_write_status", "ok"))) {
      return Finding.fail(
          SUBJECT, "the last write to disk failed", "repair it: the server may refuse writes");
    }
    if (!"0".equals(info.getOrDefault("aof_enabled", "0"))) {
      return appendOnly(server.setting("appendfsync").orElse("not known"), what);
    }
    boolean snapshots = server.setting("save").map(save -> !save.isBlank()).orElse(true);
    return Finding.warn(
        SUBJECT,
        snapshots ? "snapshots at most" : "none",
        "set appendonly yes and appendfsync always; without them a restart forgets "
            + (snapshots ? "the latest grants" : "all grants")
            + what);
  }

  private static Finding appendOnly(String sync, String what) {
    String found = "append-only file, synced " + sync;
    return sync.equals("always")
        ? Finding.ok(SUBJECT, found)
        : Finding.warn(
            SUBJECT,
            found,
            "set appendfsync always; without it a crash of the machine forgets the last second's"
                + " grants"
                + what);
  }
}
