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
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
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

  /** Writes the files of a program into an empty folder. */
  @FunctionalInterface
  interface Content {
    void writeTo(Path folder) throws IOException;
  }

  /**
   * Returns the folder with the files of a program.
   *
   * @param name what to call it, with a version
   * @param content writes the files if they are not there yet
   */
  static Path of(String name, Content content) throws IOException {
    Path temp = Path.of(System.getProperty("java.io.tmpdir"));
    return of(temp.resolve("lockkeeper-servers-" + System.getProperty("user.name")), name, content);
  }

  /** As above, below {@code cache}. */
  static Path of(Path cache, String name, Content content) throws IOException {
    makeOwn(cache);
    Path folder = cache.resolve(name);
    if (isComplete(folder)) {
      return folder;
    }
    Path fresh = Files.createTempDirectory(cache, name + "-");
    content.writeTo(fresh);
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

  /** Returns the content of a tar archive that was packed by xz or, if its name says so, gzip. */
  static Content archive(URL archive) {
    return folder -> {
      try (InputStream packed = archive.openStream();
          InputStream in =
              archive.getPath().endsWith(".gz")
                  ? new GZIPInputStream(packed)
                  : new XZInputStream(packed)) {
        pipe(in, List.of("tar", "-x", "-o", "-C", folder.toString()));
      }
    };
  }

  /** Writes a program to {@code file}, and takes from it what is only there for debuggers. */
  static void writeProgram(InputStream program, Path file) throws IOException {
    String write = "cat > \"$0\" && chmod 755 \"$0\" && { strip \"$0\" || true; }";
    pipe(program, List.of("sh", "-c", write, file.toString()));
  }

  /** Lets a child write the files: one that this JVM itself writes could be busy when run. */
  private static void pipe(InputStream in, List<String> command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (OutputStream out = process.getOutputStream()) {
      in.transferTo(out);
    }
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command.get(0) + " could not unpack");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
