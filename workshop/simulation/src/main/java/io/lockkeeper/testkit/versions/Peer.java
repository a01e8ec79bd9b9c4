package io.lockkeeper.testkit.versions;

import io.lockkeeper.testkit.process.TalkingProcess;
import io.lockkeeper.testkit.tck.Delays;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One client of some version, in a process of its own. */
final class Peer implements AutoCloseable {

  /** The part of the class path that is Lockkeeper's: what the build compiles, and its jars. */
  private static final Pattern OWN =
      Pattern.compile(
          ".*[/\\\\](target[/\\\\](test-)?classes[/\\\\]|lockkeeper-[a-z]+-[^/\\\\]*\\.jar)");

  private final Process process;
  private final Map<Long, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
  private final AtomicLong lastNumber = new AtomicLong();

  private Peer(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts one.
   *
   * @param older the jar with an older version, or null for the one of this process
   */
  static Peer start(@Nullable Path older, String url, String namespace, Duration lease)
      throws IOException {
    String mine = System.getProperty("java.class.path");
    return new Peer(
        TalkingProcess.java(
                older == null ? mine : withOlder(older, mine),
                Actor.class,
                url,
                namespace,
                Long.toString(lease.toMillis()))
            .start());
  }

  /** Leaves out what is of Lockkeeper, except this test kit, and puts the older version in. */
  private static String withOlder(Path older, String classPath) {
    String kit = Actor.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    Stream<String> others =
        Stream.of(classPath.split(File.pathSeparator, -1))
            .filter(entry -> !OWN.matcher(entry + "/").matches() && !OWN.matcher(entry).matches());
    return Stream.concat(Stream.of(older.toString(), kit), others)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      lines.lines().forEach(this::take);
    } catch (IOException | UncheckedIOException ended) {
      // what was asked is answered below
    }
    asked.values().forEach(it -> it.completeExceptionally(new AssertionError("process ended")));
  }

  private void take(String line) {
    String[] parts = line.split(Actor.GAP, 2);
    CompletableFuture<String> answer =
        Objects.requireNonNull(asked.remove(Long.valueOf(parts[0])), line);
    String text = parts[1].substring(1);
    if (parts[1].startsWith(Actor.RESULT)) {
      answer.complete(text);
    } else {
      answer.completeExceptionally(new AssertionError(text));
    }
  }

  /** Tells it to do something, and returns what will be its answer. */
  synchronized CompletableFuture<String> begin(Object... words) {
    long number = lastNumber.incrementAndGet();
    CompletableFuture<String> answer = new CompletableFuture<>();
    asked.put(number, answer);
    String line =
        Stream.concat(Stream.of(number), Stream.of(words))
            .map(String::valueOf)
            .collect(Collectors.joining(Actor.GAP, "", "\n"));
    try {
      process.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answer;
  }

  /** Tells it to do something, and waits for the answer. */
  String ask(Object... words) throws Exception {
    return answer(begin(words));
  }

  /** Waits for an answer. */
  static <T> T answer(CompletableFuture<T> answer) throws Exception {
    return answer.get(Delays.work().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Kills it (SIGKILL). */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
