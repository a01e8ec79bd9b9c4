package io.lockkeeper.zookeeper;

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
 * A process of its own that uses a counter. It says {@code ready}, waits for a line on its input,
 * and says {@code done} when it has counted.
 */
final class CountingProcess implements AutoCloseable {

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private CountingProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static CountingProcess start(String url, String name, int threads, int rounds)
      throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new CountingProcess(
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CountingProcess.class.getName(),
                url,
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
      say("ready");
      System.in.read();
      count(
          keeper.counter(arguments[1]),
          Integer.parseInt(arguments[2]),
          Integer.parseInt(arguments[3]));
      say("done");
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
