package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.memory.MemoryServer;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations of several clients, done on this store and on the memory store, which must
 * answer the same in everything but times and token values.
 */
class SameAsMemoryTest {

  private static final int CLIENTS = 4;
  private static final int SCHEDULES = 40;
  private static final int STEPS = 120;

  /** Nothing dies of age: the two clocks differ. */
  private static final Timings TIMINGS = new Timings(600_000, 600_000, 600_000);

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void answersAsTheMemoryStoreDoes(RedisBinary binary) {
    long firstSeed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("seed " + firstSeed);
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      List<Client> redis = open(new RedisStoreProvider().factory(server.url()));
      List<Client> memory = open(new MemoryServer(System::nanoTime).factory());
      try {
        for (int i = 0; i < SCHEDULES; i++) {
          new Schedule(firstSeed + i, 1_000L * i, redis, memory).run();
        }
        checkThatOnlyTombstonesAreLeft(server);
      } finally {
        redis.forEach(Client::close);
        memory.forEach(Client::close);
      }
    }
  }

  private static List<Client> open(StoreFactory factory) {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Client(factory, "test", TIMINGS));
    }
    return clients;
  }

  private static void checkThatOnlyTombstonesAreLeft(RedisServer server) {
    List<Object> keys =
        new ArrayList<>((List<?>) Objects.requireNonNull(server.command("KEYS", "*")));
    keys.remove(new String(new Keyspace("test").epoch(), StandardCharsets.UTF_8));
    assertThat(keys).allSatisfy(key -> assertThat((String) key).endsWith("}"));
    for (Object key : keys) {
      assertThat(server.command("HKEYS", (String) key)).isEqualTo(List.of("v", "t"));
      assertThat((Long) server.command("PTTL", (String) key)).isPositive();
    }
  }

  /** One sequence of operations on one resource. */
  private static final class Schedule {

    private final long seed;
    private final String resource;
    private final Random random;
    private final List<Client> redis;
    private final List<Client> memory;
    private final Map<String, Integer> ids = new HashMap<>();
    private final Map<Long, ClaimRequest> requests = new HashMap<>();
    private final List<String> log = new ArrayList<>();
    private final long firstClaim;
    private long claims;

    Schedule(long seed, long firstClaim, List<Client> redis, List<Client> memory) {
      this.seed = seed;
      this.firstClaim = firstClaim;
      this.claims = firstClaim;
      this.resource = "r" + seed;
      this.random = new Random(seed);
      this.redis = redis;
      this.memory = memory;
      for (int i = 0; i < CLIENTS; i++) {
        ids.put(redis.get(i).id, i);
        ids.put(memory.get(i).id, i);
      }
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      for (int client = 0; client < CLIENTS; client++) {
        for (long claim = firstClaim + 1; claim <= claims; claim++) {
          both(client, new Withdrawal(claim));
        }
      }
    }

    private void step() {
      int client = random.nextInt(CLIENTS);
      Operation operation =
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> new Claim(request(random.nextInt(5) > 0));
            case 3, 4 -> release();
            case 5 -> new Withdrawal(someClaim());
            case 6 -> new Look(someClaim());
            case 7 -> new Renewal(someClaim());
            default -> random.nextInt(10) == 0 ? new Force() : new Look(someClaim());
          };
      both(client, operation);
      String state = Inspect.DO.on(redis.get(client).store, this);
      compare(operation, Inspect.DO.on(memory.get(client).store, this), state);
    }

    private void both(int client, Operation operation) {
      log.add(client + " " + operation);
      String expected = operation.on(memory.get(client).store, this);
      String actual = operation.on(redis.get(client).store, this);
      compare(operation, expected, actual);
    }

    private void compare(Operation operation, String expected, String actual) {
      assertThat(actual)
          .as(
              "%s; replay with -Dlockkeeper.test.seed=%d; so far:%n%s",
              operation, seed, String.join("\n", log))
          .isEqualTo(expected);
    }

    private ReleaseRequestOperation release() {
      ClaimRequest requeue = random.nextInt(3) == 0 ? request(true) : null;
      long grant = someClaim();
      if (requeue != null && (requeue.claim() == grant || !requeue.queue())) {
        requeue = null;
      }
      return new ReleaseRequestOperation(new ReleaseRequest(resource, grant, 0, requeue));
    }

    private ClaimRequest request(boolean queue) {
      boolean again = random.nextInt(6) == 0 && claims > firstClaim;
      if (again) {
        return requests.get(someClaim());
      }
      int tokens = random.nextInt(3) == 0 ? 65 : 1;
      long lease = 600_000 + 1_000L * random.nextInt(2);
      ClaimRequest request = new ClaimRequest(resource, ++claims, lease, tokens, queue);
      requests.put(claims, request);
      return request;
    }

    /** Rather a recent one, so that something happens. */
    private long someClaim() {
      return Math.max(firstClaim + 1, claims - random.nextInt(12));
    }

    String name(String clientId) {
      return "client " + ids.get(clientId);
    }

    String text(Grant grant) {
      return grant == null
          ? "none"
          : "grant %d %s tokens %d others %s confirmed %s"
              .formatted(
                  grant.grant(),
                  grant.claims(),
                  grant.lastToken() - grant.firstToken() + 1,
                  grant.othersWait(),
                  grant.confirmed());
    }

    String text(Queued queued) {
      return queued == null ? "none" : "queued";
    }
  }

  /** Something to do on both stores; the answer as a text without times and token values. */
  private interface Operation {
    String on(Store store, Schedule schedule);
  }

  private record Claim(ClaimRequest request) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      ClaimAnswer answer = Client.answer(Client.get(store.claim(request)));
      if (answer instanceof ClaimAnswer.Granted granted) {
        return schedule.text(granted.grant());
      }
      return answer instanceof Queued queued ? schedule.text(queued) : "busy";
    }
  }

  private record ReleaseRequestOperation(ReleaseRequest request) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      ReleaseAnswer answer = Client.answer(Client.get(store.release(request)));
      return answer.released()
          + ", next "
          + schedule.text(answer.next())
          + ", requeued "
          + schedule.text(answer.requeued());
    }
  }

  private record Withdrawal(long claim) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      return Client.answer(Client.get(store.withdraw(schedule.resource, claim))).toString();
    }
  }

  private record Look(long claim) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      LookRequest request = new LookRequest(schedule.resource, claim);
      LookAnswer answer = Client.answer(Client.get(store.look(List.of(request))).get(0));
      if (answer instanceof LookAnswer.Granted granted) {
        return schedule.text(granted.grant());
      }
      return answer instanceof Queued queued ? schedule.text(queued) : "gone";
    }
  }

  private record Renewal(long grant) implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      RenewRequest request = new RenewRequest(schedule.resource, grant, 600_000);
      return Client.answer(Client.get(store.renew(List.of(request))).get(0)).toString();
    }
  }

  private record Force() implements Operation {
    @Override
    public String on(Store store, Schedule schedule) {
      return Client.answer(Client.get(store.forceRelease(schedule.resource))).toString();
    }
  }

  private enum Inspect implements Operation {
    DO;

    @Override
    public String on(Store store, Schedule schedule) {
      Inspection found = Client.answer(Client.get(store.inspect(schedule.resource)));
      Inspection.Holder holder = found.holder();
      return found.waiting()
          + " wait, held by "
          + (holder == null ? "nobody" : schedule.name(holder.clientId()) + " " + holder.grant());
    }
  }
}
