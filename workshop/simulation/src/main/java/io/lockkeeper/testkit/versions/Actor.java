package io.lockkeeper.testkit.versions;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.Registration;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.Term;
import io.lockkeeper.VersionedValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process with one client that carries out commands, line by line. The jar with the older version
 * has this one too, compiled for its API. Each line is a number and words; the answer has the same
 * number, when it is there.
 */
final class Actor {

  /** Stands between the words of a line. */
  static final String GAP = "\t";

  /** Begins the answers that are results, and those that are failures. */
  static final String RESULT = "=";

  static final String FAILURE = "!";

  private final AtomicInteger renewals = new AtomicInteger();
  private final Lockkeeper keeper;
  private final Map<String, Lease> leases = new ConcurrentHashMap<>();
  private final Map<String, LeaderElection> elections = new ConcurrentHashMap<>();

  private Actor(String url, String namespace, Duration lease) {
    this.keeper =
        Lockkeeper.builder()
            .namespace(namespace)
            .lease(lease)
            .listener(
                event -> {
                  if (event instanceof LockEvent.Renewed) {
                    renewals.incrementAndGet();
                  }
                })
            .connect(url);
  }

  public static void main(String[] arguments) throws IOException {
    Actor actor =
        new Actor(arguments[0], arguments[1], Duration.ofMillis(Long.parseLong(arguments[2])));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      String[] words = line.split(GAP, -1);
      Thread thread = new Thread(() -> say(words[0] + GAP + actor.answer(words)));
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private String answer(String[] words) {
    try {
      return RESULT + act(words[1], words.length > 2 ? words[2] : "", words);
    } catch (Exception | Error e) {
      return FAILURE + e.toString().replaceAll("\\s", " ");
    }
  }

  /** Does what the word says with the resource or the lease of this name. */
  private Object act(String word, String name, String[] words) throws Exception {
    return switch (word) {
      case "lock" -> hold(words[3], keeper.lock(name).acquire());
      case "fairLock" -> hold(words[3], keeper.fairLock(name).acquire());
      case "readLock" -> hold(words[3], keeper.readWriteLock(name).readLock().acquire());
      case "writeLock" -> hold(words[3], keeper.readWriteLock(name).writeLock().acquire());
      case "permits" ->
          hold(
              words[3],
              keeper
                  .semaphore(name, Integer.parseInt(words[4]))
                  .acquire(Integer.parseInt(words[5])));
      case "available" -> keeper.semaphore(name, Integer.parseInt(words[3])).availablePermits();
      case "setPermits" -> {
        keeper.semaphore(name, 1).setPermits(Integer.parseInt(words[3]));
        yield "";
      }
      case "release" -> {
        lease(name).release();
        leases.remove(name);
        yield "";
      }
      case "releaseSome" -> {
        ((PermitLease) lease(name)).release(Integer.parseInt(words[3]));
        yield "";
      }
      case "isValid" -> lease(name).isValid();
      case "lost" -> lease(name).lost().toCompletableFuture().join().reason();
      case "forceUnlock" -> keeper.lock(name).forceUnlock();
      case "isLocked" -> keeper.lock(name).isLocked();
      case "renewals" -> renewals.get();
      case "waiting" -> inspect(name, words[3]).waiters().size();
      case "holding" -> inspect(name, words[3]).holders().size();
      case "listed" ->
          keeper.admin().inspect().stream().filter(report -> report.name().equals(name)).count();
      case "work" -> work(name, Path.of(words[3]), Integer.parseInt(words[4]));
      case "barrier" -> {
        keeper.barrier(name, 2).await();
        yield "";
      }
      case "count" -> count(name, Integer.parseInt(words[3]));
      case "set" -> {
        keeper.sharedValue(name).set(words[3]);
        yield "";
      }
      case "append" -> append(name, words[3], Integer.parseInt(words[4]));
      case "value" -> keeper.sharedValue(name).get().map(VersionedValue::text).orElse("");
      case "hear" -> hear(name, words[3]);
      case "latch" -> keeper.countDownLatch(name).trySetCount(Integer.parseInt(words[3]));
      case "countDown" -> {
        keeper.countDownLatch(name).countDown();
        yield "";
      }
      case "await" -> {
        keeper.countDownLatch(name).await();
        yield "";
      }
      case "lead" -> lead(name);
      case "leader" -> keeper.leaderElection(name).leader().isPresent();
      case "resign" -> {
        Objects.requireNonNull(elections.remove(name), name).close();
        yield "";
      }
      case "classes" ->
          Lockkeeper.class.getProtectionDomain().getCodeSource().getLocation().getPath();
      case "close" -> {
        keeper.close();
        yield "";
      }
      default -> throw new IllegalArgumentException(word);
    };
  }

  private long hold(String key, Lease lease) {
    leases.put(key, lease);
    return lease.token();
  }

  private Lease lease(String key) {
    return Objects.requireNonNull(leases.get(key), key);
  }

  private ResourceReport inspect(String name, String kind) {
    return keeper.admin().inspect(ResourceKind.valueOf(kind), name);
  }

  /** Counts in a file, where only the lock keeps it from losing a count, and notes the tokens. */
  private String work(String name, Path folder, int rounds) throws Exception {
    Path number = folder.resolve("number");
    for (int i = 0; i < rounds; i++) {
      DistributedLock lock = i % 2 == 0 ? keeper.lock(name) : keeper.fairLock(name);
      try (Lease lease = lock.acquire()) {
        int counted = Integer.parseInt(Files.readString(number));
        Files.writeString(number, Integer.toString(counted + 1));
        Files.writeString(
            folder.resolve("tokens"),
            lease.token() + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
    }
    return "";
  }

  private long count(String name, int times) {
    long number = 0;
    for (int i = 0; i < times; i++) {
      number = keeper.counter(name).incrementAndGet();
    }
    return number;
  }

  private String append(String name, String text, int times) {
    for (int i = 0; i < times; i++) {
      keeper
          .sharedValue(name)
          .update(
              old ->
                  (old.map(VersionedValue::text).orElse("") + text)
                      .getBytes(StandardCharsets.UTF_8));
    }
    return "";
  }

  /** Listens until it has heard this text, and not until the value is there. */
  @SuppressWarnings("try") // a registration is only there to be closed
  private String hear(String name, String text) {
    CompletableFuture<Void> heard = new CompletableFuture<>();
    try (Registration registration =
        keeper
            .sharedValue(name)
            .onChange(
                value -> {
                  if (value.map(VersionedValue::text).orElse("").equals(text)) {
                    heard.complete(null);
                  }
                })) {
      heard.join();
    }
    return "";
  }

  private long lead(String name) {
    CompletableFuture<Long> elected = new CompletableFuture<>();
    LeaderElection election = keeper.leaderElection(name);
    elections.put(name, election);
    election.start(
        new LeaderListener() {
          @Override
          public void elected(Term term) {
            elected.complete(term.token());
          }

          @Override
          public void lost(Term term) {}
        });
    return elected.join();
  }
}
