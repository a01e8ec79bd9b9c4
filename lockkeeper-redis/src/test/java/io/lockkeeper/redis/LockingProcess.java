package io.lockkeeper.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that takes a lock and can be killed and frozen. It says what it does, line
 * by line: {@code waiting}, {@code held TOKEN}, and once it is told to go on by a line on its
 * input, {@code clock MILLIS}, {@code valid true|false}, {@code write accepted|refused}, {@code
 * lost REASON} and {@code released} or {@code refused}.
 */
final class LockingProcess implements AutoCloseable {

  /** Writes to a register unless it has seen a larger token. */
  static final String GUARDED_WRITE =
      """
      local seen = tonumber(redis.call('GET', KEYS[1]) or '0')
      if tonumber(ARGV[1]) < seen then return 0 end
      redis.call('SET', KEYS[1], ARGV[1])
      return 1
      """;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private LockingProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static LockingProcess start(String url, String name, Duration lease) throws IOException {
    return start(url, name, lease, Map.of());
  }

  /** Starts one that has more in its environment than this process. */
  static LockingProcess start(
      String url, String name, Duration lease, Map<String, String> environment) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LockingProcess.class.getName(),
                url,
                name,
                Long.toString(lease.toMillis()))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return new LockingProcess(builder.start());
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

  /** Returns the rest of the next line that begins with this word. */
  String await(String word, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError("process " + process.pid() + " did not say " + word);
      }
      if (line.startsWith(word)) {
        return line.substring(word.length()).trim();
      }
    }
  }

  void goOn() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  void kill() {
    process.destroyForcibly().onExit().join();
  }

  void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    kill();
  }

  // ------------------------------------------------------------- in the process itself

  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
    try (Lockkeeper keeper = Lockkeeper.builder().lease(lease).connect(url);
        RedisClient client = RedisClient.create(url);
        StatefulRedisConnection<String, String> register = client.connect()) {
      say("waiting");
      Lease held = keeper.fairLock(arguments[1]).acquire();
      held.onLost(loss -> say("lost " + loss.reason()));
      say("held " + held.token());
      System.in.read();
      say("clock " + System.currentTimeMillis());
      say("valid " + held.isValid());
      say("write " + (write(register, held.token()) ? "accepted" : "refused"));
      try {
        held.release();
        say("released");
      } catch (LeaseLostException lost) {
        say("refused");
      }
      System.in.read();
    }
  }

  private static boolean write(StatefulRedisConnection<String, String> register, long token) {
    Long written =
        register
            .sync()
            .eval(
                GUARDED_WRITE,
                ScriptOutputType.INTEGER,
                new String[] {"register"},
                Long.toString(token));
    return written == 1;
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
