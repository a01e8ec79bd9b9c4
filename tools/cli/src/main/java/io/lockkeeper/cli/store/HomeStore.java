package io.lockkeeper.cli.store;

import io.lockkeeper.cli.console.CannotRunException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The store of those who name none: a SQLite file in the user's home.
 *
 * <p>It is {@code ~/.lockkeeper/locks.db} and never anywhere else. The variables that could move
 * such files ({@code XDG_STATE_HOME}) are mostly set at the desk and not by cron: a job would lock
 * one file and its user another.
 */
final class HomeStore {

  private static final String FOLDER = ".lockkeeper";
  private static final String FILE = "locks.db";

  private HomeStore() {}

  /**
   * Returns its URL; makes the file if need be, for nobody but the user.
   *
   * @param home the variable {@code HOME}
   * @param account the home that the system's accounts name, as Java has it in {@code user.home}
   */
  static String url(@Nullable String home, @Nullable String account) {
    Path folder = home(home, account).resolve(FOLDER);
    Path file = folder.resolve(FILE);
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder, only("rwx------"));
      }
      if (!Files.exists(file)) {
        createFile(file);
      }
    } catch (IOException e) {
      throw new CannotRunException(
          "cannot make " + file + " (" + e + "); give --store URL or set LOCKKEEPER_URL", e);
    }
    return "jdbc:sqlite:" + file;
  }

  private static Path home(@Nullable String home, @Nullable String account) {
    String found = home != null && !home.isBlank() ? home : account;
    if (found == null || found.isBlank() || found.equals("?")) {
      throw new CannotRunException(
          "there is no home folder to keep locks in: set HOME or LOCKKEEPER_URL, or give --store"
              + " URL");
    }
    Path path = Path.of(found);
    if (!path.isAbsolute() || !Files.isDirectory(path)) {
      throw new CannotRunException(
          "the home folder '"
              + found
              + "' is not there: set HOME or LOCKKEEPER_URL, or give --store URL");
    }
    return path;
  }

  private static void createFile(Path file) throws IOException {
    try {
      Files.createFile(file, only("rw-------"));
    } catch (FileAlreadyExistsException e) {
      // another process was faster
    }
  }

  private static FileAttribute<?>[] only(String permissions) {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      return new FileAttribute<?>[0];
    }
    Set<PosixFilePermission> set = PosixFilePermissions.fromString(permissions);
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(set)};
  }
}
