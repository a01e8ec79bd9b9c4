package io.lockkeeper.jdbc;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A process of its own whose threads count together with those of others: each reads a number from
 * a file, writes the next one, and appends the token of its lock to another file. Only the lock
 * keeps them from losing a count.
 */
final class CountingProcess {

  /**
   * The exit value of a process that has lost the lock within three seconds of its grant: it stood
   * still for the second in which a client confirms a grant.
   */
  static final int LOST = 3;

  private CountingProcess() {}

  static Process start(String url, Path folder, int threads, int rounds) throws IOException {
    return new ProcessBuilder(
            JavaCommand.small(
                CountingProcess.class,
                url,
                folder.toString(),
                Integer.toString(threads),
                Integer.toString(rounds)))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  static Path number(Path folder) {
    return folder.resolve("number");
  }

  static Path tokens(Path folder) {
    return folder.resolve("tokens");
  }

  // ------------------------------------------------------------- in the process itself

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[1]);
    int rounds = Integer.parseInt(arguments[3]);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (Lockkeeper keeper = Lockkeeper.builder().namespace("counting").connect(arguments[0])) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
        Thread thread = new Thread(() -> count(keeper, folder, rounds, failure));
        thread.start();
        threads.add(thread);
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
    Throwable failed = failure.get();
    if (failed != null) {
      failed.printStackTrace();
      System.exit(failed instanceof StoodStill ? LOST : 1);
    }
  }

  private static void count(
      Lockkeeper keeper, Path folder, int rounds, AtomicReference<Throwable> failure) {
    try {
      for (int i = 0; i < rounds; i++) {
        Lease lease = keeper.lock("counter").acquire();
        int number = Integer.parseInt(Files.readString(number(folder)));
        Files.writeString(number(folder), Integer.toString(number + 1));
        Files.write(
            tokens(folder),
            (lease.token() + "\n").getBytes(StandardCharsets.UTF_8),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        release(lease);
      }
    } catch (Exception | Error e) {
      failure.set(e);
    }
  }

  /** A token here is the time of its grant, in microseconds. */
  private static void release(Lease lease) throws StoodStill {
    try {
      lease.release();
    } catch (LeaseLostException e) {
      long ageMicros = System.currentTimeMillis() * 1_000 - lease.token();
      if (ageMicros < 3_000_000) {
        throw new StoodStill(e);
      }
      throw e;
    }
  }

  private static final class StoodStill extends Exception {

    private static final long serialVersionUID = 1L;

    StoodStill(LeaseLostException loss) {
      super(loss);
    }
  }
}
