package io.lockkeeper.servers.fault;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A wall clock that jumps on command, for child processes that are started with {@link
 * #environment()}. All other clocks of theirs are the machine's.
 *
 * <p>It is a few lines of C, compiled when they are first wanted, and preloaded into the child. So
 * it takes Linux, a C compiler, and a program that asks the C library for the time.
 */
public final class ClockShim implements AutoCloseable {

  private static final long COMPILER_SECONDS = 60;
  private static final String SOURCE = "clock.c";
  private static final String OBJECT = "clock.so";

  private final Path folder;
  private final Path offset;
  private final boolean canJump;

  private ClockShim(boolean canJump) throws IOException {
    this.folder = Files.createTempDirectory("lockkeeper-clock-");
    this.offset = folder.resolve("offset");
    this.canJump = canJump;
  }

  /** Returns whether {@link #create} works on this machine: it compiles one to see. */
  public static boolean isAvailable() {
    return Tried.WORKS;
  }

  private static final class Tried {
    static final boolean WORKS = works();

    private static boolean works() {
      try {
        create().close();
        return true;
      } catch (IllegalStateException missing) {
        return false;
      }
    }
  }

  /**
   * Makes a clock that is right so far.
   *
   * @throws IllegalStateException if that is not possible on this machine
   */
  public static ClockShim create() {
    if (!System.getProperty("os.name").startsWith("Linux")) {
      throw new IllegalStateException("programs are preloaded on Linux only");
    }
    try {
      ClockShim shim = new ClockShim(true);
      try {
        shim.compile();
        // Servers that run as another user read it too.
        Files.setPosixFilePermissions(shim.folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        shim.jumpTo(Duration.ZERO);
      } catch (IOException | IllegalStateException e) {
        shim.close();
        throw e;
      }
      return shim;
    } catch (IOException e) {
      throw new IllegalStateException("cannot compile the clock", e);
    }
  }

  /** Makes a clock that can jump where this machine can have one, and elsewhere one that cannot. */
  public static ClockShim createIfPossible() {
    try {
      return isAvailable() ? create() : new ClockShim(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether {@link #jumpTo} works. */
  public boolean canJump() {
    return canJump;
  }

  private void compile() throws IOException {
    try (InputStream source =
        Objects.requireNonNull(ClockShim.class.getResourceAsStream(SOURCE), SOURCE)) {
      Files.copy(source, folder.resolve(SOURCE));
    }
    Process compiler =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-O1", "-o", OBJECT, SOURCE)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("cc.log").toFile())
            .start();
    try {
      if (!compiler.waitFor(COMPILER_SECONDS, TimeUnit.SECONDS)) {
        compiler.destroyForcibly();
        throw new IllegalStateException("the C compiler does not come to an end");
      }
    } catch (InterruptedException e) {
      compiler.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    if (compiler.exitValue() != 0) {
      throw new IllegalStateException(
          "the C compiler says: " + Files.readString(folder.resolve("cc.log")));
    }
  }

  /** Returns what a program needs in its environment in order to live by this clock. */
  public Map<String, String> environment() {
    return canJump
        ? Map.of(
            "LD_PRELOAD", folder.resolve(OBJECT).toString(),
            "LOCKKEEPER_CLOCK_OFFSET", offset.toString())
        : Map.of();
  }

  /**
   * Sets the clock so far ahead of the machine's, or behind it; that holds at once.
   *
   * @throws IllegalStateException if it {@linkplain #canJump cannot jump}
   */
  public void jumpTo(Duration ahead) {
    if (!canJump) {
      throw new IllegalStateException("a clock that jumps needs Linux and a C compiler (cc)");
    }
    long micros = TimeUnit.SECONDS.toMicros(ahead.getSeconds()) + ahead.getNano() / 1_000;
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(micros).flip();
    // Not emptied first: who has mapped it would be killed.
    try (FileChannel file =
        FileChannel.open(offset, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(bytes, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes its files. Programs that run by this clock go on doing so. */
  @Override
  public void close() {
    for (Path file : List.of(offset, folder.resolve(OBJECT), folder.resolve(SOURCE))) {
      deleteQuietly(file);
    }
    deleteQuietly(folder.resolve("cc.log"));
    deleteQuietly(folder);
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A leftover in the system's temp folder is not worth failing for.
    }
  }
}
