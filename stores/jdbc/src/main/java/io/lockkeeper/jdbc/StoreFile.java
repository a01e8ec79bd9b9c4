package io.lockkeeper.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The file of a SQLite database, as a connection has opened it. A program that deletes or replaces
 * it while it is open splits its users in two, those of the old file and those of the new, and each
 * would grant the same locks: so it is looked at before each use of the connection.
 *
 * @param path where it is
 * @param key what tells it from another file in the same place; null where the system has no such
 */
record StoreFile(Path path, @Nullable Object key) {

  /** File systems on which several machines see one file, but not each other's locks on it. */
  private static final List<String> NETWORK =
      List.of("nfs", "cifs", "smb", "9p", "afs", "fuse.sshfs", "glusterfs", "ceph", "lustre");

  /** Returns the file of a connection to SQLite, or null if it has none. */
  static @Nullable StoreFile of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("pragma database_list")) {
      while (rows.next()) {
        String file = Objects.toString(rows.getString(3), "");
        if (rows.getString(2).equals("main") && !file.isEmpty()) {
          Path path = Path.of(file);
          return new StoreFile(path, key(path));
        }
      }
    } catch (InvalidPathException e) {
      // A file that Java cannot name is not looked at.
    }
    return null;
  }

  private static @Nullable Object key(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns whether its place is empty now, or another file is there. */
  boolean isReplaced() {
    return key != null && !key.equals(key(path));
  }

  /** Returns the type of the file system that it is on. */
  String fileSystem() throws IOException {
    return Files.getFileStore(path).type().toLowerCase(Locale.ROOT);
  }

  /** Returns whether files on such a file system are seen by several machines. */
  static boolean isOfNetwork(String fileSystem) {
    return NETWORK.stream().anyMatch(fileSystem::startsWith);
  }
}
