package io.lockkeeper.cli.oversell;

import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerStartException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A store that is started for a run, in the order in which {@code --all} takes them. */
enum EmbeddedStore {
  /** A Redis server. */
  REDIS("Redis", "install redis-server") {
    @Override
    Running start() {
      RedisServer server = RedisServer.start();
      return new Running(server.url(), server);
    }
  },

  /** A file of SQLite's, which needs no server. */
  SQLITE("SQLite", "") {
    @Override
    Running start() {
      try {
        Path folder = Files.createTempDirectory("lockkeeper-sqlite-");
        return new Running(
            "jdbc:sqlite:" + folder.resolve("oversell.db"), () -> deleteWithContents(folder));
      } catch (IOException e) {
        throw new ServerStartException("no temporary folder: " + e.getMessage(), e);
      }
    }
  };

  /**
   * A store at work.
   *
   * @param url where it is
   * @param server ends it
   */
  record Running(String url, AutoCloseable server) {}

  private final String title;
  private final String remedy;

  EmbeddedStore(String title, String remedy) {
    this.title = title;
    this.remedy = remedy;
  }

  /**
   * Starts it.
   *
   * @throws ServerStartException if this machine does not have it
   */
  abstract Running start();

  /** Returns its name for people. */
  String title() {
    return title;
  }

  /** Returns what a user can do if it does not start. */
  String remedy() {
    return remedy;
  }

  private static void deleteWithContents(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      List<Path> contents = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : contents) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
