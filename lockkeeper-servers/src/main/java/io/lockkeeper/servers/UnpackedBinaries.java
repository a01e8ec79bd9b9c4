package io.lockkeeper.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/**
 * Programs from archives on the class path, unpacked once per machine and user into a folder below
 * the system's temporary one. Everybody may read it, since some servers run as another user.
 *
 * <p>JVMs may start at the same time: each unpacks into a folder of its own and then gives it the
 * common name in one step; the first one wins.
 */
final class UnpackedBinaries {

  /**
   * The file with the number of files that were unpacked: a temporary folder may be thinned out.
   */
  private static final String COUNT = ".files";

  private UnpackedBinaries() {}

  /**
   * Returns the folder with the content of a {@code .tar.xz} archive.
   *
   * @param name what to call it, with a version
   * @param archive where the archive is
   */
  static Path of(String name, URL archive) throws IOException {
    Path temp = Path.of(System.getProperty("java.io.tmpdir"));
    return of(temp.resolve("lockkeeper-servers-" + System.getProperty("user.name")), name, archive);
  }

  /** As above, below {@code cache}. */
  static Path of(Path cache, String name, URL archive) throws IOException {
    makeOwn(cache);
    Path folder = cache.resolve(name);
    if (isComplete(folder)) {
      return folder;
    }
    Path fresh = Files.createTempDirectory(cache, name + "-");
    unpack(archive, fresh);
    Files.writeString(fresh.resolve(COUNT), String.valueOf(count(fresh) + 1));
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
    publish(fresh, folder);
    return folder;
  }

  private static void makeOwn(Path cache) throws IOException {
    try {
      Files.createDirectory(
          cache,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (FileAlreadyExistsException e) {
      requireOwn(cache);
    }
  }

  /** Makes sure that nobody else has laid programs there for us to run. */
  private static void requireOwn(Path cache) throws IOException {
    Path probe = Files.createTempFile("lockkeeper", ".owner");
    try {
      boolean mine = Files.getOwner(cache).equals(Files.getOwner(probe));
      boolean othersWrite =
          PosixFilePermissions.toString(Files.getPosixFilePermissions(cache)).lastIndexOf('w') > 1;
      if (!mine || othersWrite || Files.isSymbolicLink(cache)) {
        throw new IOException(cache + " is not safe to run programs from: others may write there");
      }
    } finally {
      Files.delete(probe);
    }
  }

  private static boolean isComplete(Path folder) throws IOException {
    Path file = folder.resolve(COUNT);
    return Files.exists(file) && Files.readString(file).equals(String.valueOf(count(folder)));
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.count();
    }
  }

  private static void publish(Path fresh, Path folder) throws IOException {
    if (Files.exists(folder) && !isComplete(folder)) {
      Path broken = fresh.resolveSibling(fresh.getFileName() + "-broken");
      Files.move(folder, broken, StandardCopyOption.ATOMIC_MOVE);
      TempFolder.delete(broken);
    }
    try {
      Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      TempFolder.delete(fresh);
      if (!isComplete(folder)) {
        throw e;
      }
    }
  }

  /** Unpacks by the system's tar: a file that this JVM itself writes could be busy when run. */
  private static void unpack(URL archive, Path folder) throws IOException {
    Process tar =
        new ProcessBuilder("tar", "-x", "-C", folder.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (InputStream in = new XZInputStream(archive.openStream());
        OutputStream out = tar.getOutputStream()) {
      in.transferTo(out);
    }
    try {
      if (tar.waitFor() != 0) {
        throw new IOException("tar could not unpack " + archive);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
