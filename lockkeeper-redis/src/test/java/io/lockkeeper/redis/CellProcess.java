package io.lockkeeper.redis;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.Lockkeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that uses a counter or a latch. It says {@code ready}, waits for a line on
 * its input if it is to count, and says {@code done} when it has counted, or {@code open} when the
 * latch has opened.
 */
final class CellProcess implements AutoCloseable {

  /** What it does. */
  enum Task {
    /** Increments a counter in several threads. */
    COUNT,
    /** Waits for a latch. */
    AWAIT
  }

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private CellProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static CellProcess start(String url, Task task, String name, int threads, int rounds)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new CellProcess(
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CellProcess.class.getName(),
                url,
                task.name(),
                name,
                Integer.toString(threads),
                Integer.toString(rounds))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  private void read() {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      reader.lines().forEach(lines::add);
    } catch (IOException | java.io.UncheckedIOException ended) {
      lines.add("ended");
    }
  }

  /** Returns once it has said this word. */
  void await(String word, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    String line;
    do {
      line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("process " + process.pid() + " did not say " + word);
      }
    } while (!line.equals(word));
  }

  void goOn() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  // ------------------------------------------------------------- in the process itself

  public static void main(String[] arguments) throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect(arguments[0])) {
      if (Task.valueOf(arguments[1]) == Task.COUNT) {
        say("ready");
        System.in.read();
        count(
            keeper.counter(arguments[2]),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]));
        say("done");
      } else {
        keeper.countDownLatch(arguments[2]).getCount(); // the connection is there
        say("ready");
        keeper.countDownLatch(arguments[2]).await();
        say("open");
      }
      System.in.read();
    }
  }

  /** Increments a counter in several threads at once; throws what one of them throws. */
  static void count(DistributedCounter counter, int threads, int rounds)
      throws InterruptedException {
    List<Thread> all = new ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    for (int i = 0; i < threads; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  counter.incrementAndGet();
                }
              });
      thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
      thread.start();
      all.add(thread);
    }
    for (Thread thread : all) {
      thread.join();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.size() + " threads failed", failures.get(0));
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
