package io.lockkeeper.jdbc;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.memory.MemoryServer;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.RandomOperations;
import io.lockkeeper.testkit.tck.store.RandomOperations.Clients;
import io.lockkeeper.testkit.tck.store.RandomOperations.Operation;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Clients of a real database whose statements go one at a time, in a random order that a seed
 * determines; some of them are lost, with their connection, or carried out unheard.
 *
 * <p>Each operation takes effect at its commit. So the memory store, asked the same in the order of
 * the commits, has to answer the same. The database's clock is replaced by one that stands still
 * while anything is under way, and jumps in between: leases end.
 */
final class SqlSimulation implements AutoCloseable {

  private static final int CLIENTS = 4;
  private static final int MOST_OUTSTANDING = 3;
  private static final long LEASE_MILLIS = 20_000;
  private static final long BEGIN_MICROS = 1_700_000_000_000_000L;

  /** Who waits does not die, as only the database's clock jumps and not that of its client. */
  private static final Timings TIMINGS = new Timings(1_000_000_000_000L, 5_000, 60_000);

  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final long BLOCKED_MILLIS = 4;

  private final Dialect dialect;
  private final SteppedSource.Stage stage = new SteppedSource.Stage();
  private final Connection watcher;
  private final Side tested;
  private final Side reference;
  private final List<SteppedSource> sources = new ArrayList<>();
  private final String namespace = "sim-" + System.nanoTime();
  private volatile long micros = BEGIN_MICROS;
  private long done;

  /**
   * Opens the clients.
   *
   * @param rewriting changes statements: a mutant
   */
  SqlSimulation(DataSource source, Dialect dialect, UnaryOperator<String> rewriting)
      throws SQLException {
    this.dialect = dialect;
    this.watcher = source.getConnection();
    List<StoreProbe> stores = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      SteppedSource stepped =
          new SteppedSource(source, stage, sql -> rewriting.apply(withClock(sql)), whoAmI());
      sources.add(stepped);
      stores.add(probe(factory(stepped, i % 2 == 0)));
    }
    this.tested = new Side(stores);
    StoreFactory memory = new MemoryServer(() -> micros * 1_000).factory();
    this.reference = new Side(IntStream.range(0, CLIENTS).mapToObj(i -> probe(memory)).toList());
  }

  /**
   * Returns a factory.
   *
   * @param sendsJoined whether statements go together on MariaDB too, as with a URL
   */
  private static StoreFactory factory(DataSource source, boolean sendsJoined) {
    Settings settings = Settings.DEFAULT.withPush(false).withConnections(1).withTimeout(TIMEOUT);
    return context ->
        new SqlOpener(settings, context, "", source::getConnection, sendsJoined, text -> text)
            .borrowed(source);
  }

  private StoreProbe probe(StoreFactory factory) {
    return new StoreProbe(factory, namespace, TIMINGS);
  }

  private String withClock(String sql) {
    return sql.replace(dialect.now, "cast(" + micros + " as " + integer() + ")");
  }

  private String integer() {
    return dialect instanceof MySqlDialect ? "signed" : "bigint";
  }

  private String whoAmI() {
    return dialect instanceof MySqlDialect ? "select connection_id()" : "select pg_backend_pid()";
  }

  /** Asks whether a connection waits for a row; MariaDB knows only whether it is at work. */
  private String whetherItWaits() {
    return dialect instanceof MySqlDialect
        ? "select 1 from information_schema.processlist where id = ? and command <> 'Sleep'"
        : "select 1 from pg_stat_activity where pid = ? and wait_event_type = 'Lock'";
  }

  /** The clients at one of the two stores. */
  private static final class Side implements Clients {

    private final List<StoreProbe> probes;

    Side(List<StoreProbe> probes) {
      this.probes = probes;
    }

    Store store(int client) {
      return probes.get(client).store;
    }

    @Override
    public String id(int client) {
      return probes.get(client).id;
    }

    @Override
    public int number(String id) {
      return probes.stream().map(probe -> probe.id).toList().indexOf(id);
    }

    void close() {
      probes.forEach(StoreProbe::close);
    }
  }

  /** An operation that was asked for. */
  private static final class Asked {

    private final int client;
    private final int number;
    private final Operation operation;
    private final List<Grant> grants = new ArrayList<>();
    // Guarded by the schedule.
    private @Nullable Outcome<String> outcome;
    private long point = -1;

    Asked(int client, int number, Operation operation) {
      this.client = client;
      this.number = number;
      this.operation = operation;
    }

    @Override
    public String toString() {
      String answer =
          outcome instanceof Outcome.Answered<String> answered
              ? answered.answer()
              : outcome instanceof Outcome.Refused<String>
                  ? "refused"
                  : point < 0 ? "nothing" : "nothing, but it was done";
      return "client " + client + ": " + operation + " -> " + answer;
    }
  }

  /** Runs one schedule; throws an error that says how to run it again. */
  void run(long seed) {
    Schedule schedule = new Schedule(seed);
    try {
      schedule.run();
    } catch (AssertionError | RuntimeException | SQLException e) {
      throw new AssertionError(
          "%s; replay with -Dlockkeeper.test.seed=%d; so far:%n%s"
              .formatted(e.getMessage(), seed, String.join("\n", schedule.log)),
          e);
    } finally {
      stage.free(true);
    }
  }

  @Override
  public void close() throws SQLException {
    stage.free(true);
    tested.close();
    reference.close();
    try (watcher;
        Statement statement = watcher.createStatement()) {
      statement.executeUpdate(
          "delete from lockkeeper_claim where resource_id in (select id from lockkeeper_resource"
              + " where namespace = '"
              + namespace
              + "')");
      statement.executeUpdate(
          "delete from lockkeeper_resource where namespace = '" + namespace + "'");
    }
  }

  private final class Schedule {

    private final Random random;
    private final String name;
    private final @Nullable ResourceKind kind;
    private final @Nullable RandomOperations operations;
    private final int clients;
    private final int losses;
    private final List<String> log = new ArrayList<>();
    private final List<Asked> asked = new ArrayList<>();
    private final List<Deque<Asked>> outstanding = new ArrayList<>();
    private final List<Deque<Operation>> again = new ArrayList<>();
    private final boolean[] blocked = new boolean[CLIENTS];
    private final long[] batches = new long[CLIENTS];

    /** The first token of each grant, by client and number. */
    private final Map<String, Long> tokens = new HashMap<>();

    private long latestToken;
    private int left;

    Schedule(long seed) {
      random = new Random(seed);
      name = "r" + seed;
      List<ResourceKind> kinds = List.of(ResourceKind.values());
      int which = random.nextInt(kinds.size() + 2);
      if (which == kinds.size()) {
        kind = null;
      } else {
        kind = which < kinds.size() ? kinds.get(which) : ResourceKind.LOCK; // they have most ways
      }
      clients = 2 + random.nextInt(CLIENTS - 1);
      operations =
          kind == null
              ? null
              : new RandomOperations(random, kind, name, clients, 1_000 * done++, LEASE_MILLIS);
      losses = random.nextInt(3) == 0 ? 8 : 0;
      left = 4 + random.nextInt(10);
      for (int i = 0; i < CLIENTS; i++) {
        outstanding.add(new ArrayDeque<>());
        again.add(new ArrayDeque<>());
      }
    }

    void run() throws SQLException {
      stage.free(false);
      while (step()) {
        settle();
      }
      stage.free(true);
      replay();
      if (operations != null) {
        compare(operations.inspection());
        checkRow();
      }
    }

    // ----------------------------------------------------------- one thing at a time

    /** Does one of the things that can be done now, and returns whether there was one. */
    private boolean step() {
      List<Runnable> choices = new ArrayList<>();
      boolean aloneWaits =
          IntStream.range(0, clients).anyMatch(i -> blocked[i] && sources.get(i).isAlone());
      for (int i = 0; i < clients; i++) {
        int client = i;
        SteppedSource source = sources.get(i);
        // Of two single statements that wait for a row it would not be known which was first.
        if (source.next() != null && !(aloneWaits && source.isAlone())) {
          choices.add(() -> go(client));
          choices.add(() -> go(client));
        }
        if (mayAsk(client)) {
          choices.add(() -> ask(client));
        }
      }
      if (choices.isEmpty()) {
        return isBusy();
      }
      boolean isQuiet = !isBusy();
      if (isQuiet && kind != null && random.nextInt(4) == 0) {
        jump();
      }
      choices.get(random.nextInt(choices.size())).run();
      return true;
    }

    private void jump() {
      long millis = new long[] {1_000, 6_000, 30_000}[random.nextInt(3)];
      long now = micros + millis * 1_000;
      log.add("the clock goes on for " + millis + " ms");
      replay();
      micros = now;
    }

    private synchronized boolean isBusy() {
      return outstanding.stream().anyMatch(calls -> !calls.isEmpty());
    }

    private synchronized boolean isBusy(int client) {
      return !outstanding.get(client).isEmpty();
    }

    private synchronized boolean mayAsk(int client) {
      Deque<Asked> calls = outstanding.get(client);
      boolean readsOnly = calls.stream().anyMatch(call -> call.operation.mayOnlyRead());
      return (left > 0 || !again.get(client).isEmpty())
          && calls.size() < MOST_OUTSTANDING
          && !readsOnly;
    }

    private void ask(int client) {
      Operation operation = again.get(client).poll();
      if (operation == null) {
        left--;
        operation = operations == null ? new Count(batches, client, name) : operations.next(client);
      }
      // When a read takes effect that shares its transaction cannot be seen from its commit.
      if (operation.mayOnlyRead() && isBusy(client)) {
        return;
      }
      Asked call;
      synchronized (this) {
        call = new Asked(client, asked.size(), operation);
        asked.add(call);
        outstanding.get(client).add(call);
        log.add("client " + client + " asks: " + operation);
      }
      Clients naming = new Naming(tested, call.grants);
      var unused =
          operation
              .on(tested.store(client), client, naming)
              .whenComplete((outcome, failure) -> answered(call, outcome));
    }

    private void answered(Asked call, @Nullable Outcome<String> outcome) {
      SteppedSource source = sources.get(call.client);
      synchronized (this) {
        boolean isUnknown = outcome == null || outcome instanceof Outcome.Unknown;
        call.outcome = outcome;
        call.point = isUnknown ? source.lostPoint() : source.lastPoint();
        outstanding.get(call.client).remove(call);
        if (isUnknown) {
          again.get(call.client).add(call.operation);
        }
        log.add("  " + call);
      }
      stage.tell();
    }

    private void go(int client) {
      SteppedSource source = sources.get(client);
      SteppedSource.Fate fate =
          losses > 0 && random.nextInt(losses) == 0
              ? (random.nextBoolean() ? SteppedSource.Fate.LOST : SteppedSource.Fate.DONE_UNHEARD)
              : SteppedSource.Fate.DONE;
      synchronized (this) {
        log.add(
            "  client %d: %s%s"
                .formatted(
                    client,
                    brief(String.valueOf(source.next())),
                    fate == SteppedSource.Fate.DONE ? "" : " " + fate));
      }
      boolean isCommit = String.valueOf(source.next()).endsWith("commit");
      if (source.isAlone() || isCommit || fate != SteppedSource.Fate.DONE) {
        Arrays.fill(blocked, false);
      }
      source.go(fate);
    }

    private static String brief(String sql) {
      return sql.length() < 60 ? sql : sql.substring(0, 60);
    }

    /** Waits until every client waits to be told, for an answer's reader, or for a row. */
    private void settle() throws SQLException {
      long deadline = System.nanoTime() + Delays.patience().toNanos();
      boolean first = true;
      while (true) {
        // A client that takes no part may still be cleaning, with rows locked.
        sources.stream()
            .skip(clients)
            .filter(source -> source.next() != null)
            .forEach(source -> source.go(SteppedSource.Fate.DONE));
        for (int i = 0; i < clients; i++) {
          blocked[i] &= isBusy(i) && sources.get(i).next() == null;
        }
        List<Integer> running =
            IntStream.range(0, clients)
                .filter(i -> isBusy(i) && sources.get(i).next() == null && !blocked[i])
                .boxed()
                .toList();
        if (running.isEmpty()) {
          return;
        }
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError("nothing happens any more");
        }
        for (int client : first ? List.<Integer>of() : running) {
          blocked[client] = mayBeBlocked(client) && waits(client);
        }
        stage.await(BLOCKED_MILLIS);
        first = false;
      }
    }

    private boolean mayBeBlocked(int client) {
      return IntStream.range(0, clients)
          .anyMatch(i -> i != client && sources.get(i).holdsRow() && !blocked[i]);
    }

    /** As the database sees it: a thread of a busy machine may be late with what it was told. */
    private boolean waits(int client) throws SQLException {
      try (PreparedStatement statement = watcher.prepareStatement(whetherItWaits())) {
        statement.setLong(1, sources.get(client).backend());
        try (ResultSet rows = statement.executeQuery()) {
          return rows.next();
        }
      }
    }

    // ----------------------------------------------------------- what came of it

    /** Has the memory store do what was done since the last time, in the order of the commits. */
    private void replay() {
      List<Asked> order;
      synchronized (this) {
        order =
            asked.stream()
                .filter(call -> call.point >= 0)
                .sorted(
                    Comparator.comparingLong((Asked call) -> call.point)
                        .thenComparingInt(call -> call.number))
                .toList();
        asked.clear();
      }
      for (Asked call : order) {
        String expected = words(call.operation, call.client, reference, reference);
        if (call.outcome instanceof Outcome.Answered<String> answered
            && !answered.answer().equals(expected)) {
          throw new AssertionError(call + ", but it must be " + expected);
        }
        call.grants.forEach(grant -> checkTokens(call.client, grant));
      }
    }

    private String words(Operation operation, int client, Side side, Clients naming) {
      Outcome<String> outcome = StoreProbe.get(operation.on(side.store(client), client, naming));
      return outcome instanceof Outcome.Answered<String> answered ? answered.answer() : "refused";
    }

    private void compare(Operation operation) {
      String expected = words(operation, 0, reference, reference);
      String actual = words(operation, 0, tested, tested);
      if (!actual.equals(expected)) {
        throw new AssertionError(operation + " says " + actual + ", but it must be " + expected);
      }
    }

    /** What a client gets again has no smaller token, and of a lock no later grant has one. */
    private void checkTokens(int client, Grant grant) {
      String key = name + " " + client + "/" + grant.grant();
      Long known = tokens.put(key, grant.firstToken());
      boolean isSmaller = known != null && grant.firstToken() < known;
      if (isSmaller || (kind.isExclusive() && grant.firstToken() < latestToken)) {
        throw new AssertionError(
            "the token of %s is smaller than %s or %d".formatted(grant, known, latestToken));
      }
      latestToken = grant.firstToken();
    }

    /** What a row counts must be there. */
    private void checkRow() throws SQLException {
      String sql =
          "select r.waiting, r.grants, r.permits_out,"
              + " (select count(*) from lockkeeper_claim c where c.resource_id = r.id"
              + " and c.granted = 0),"
              + " (select count(*) from lockkeeper_claim c where c.resource_id = r.id"
              + " and c.granted = 1),"
              + " (select coalesce(sum(c.permits), 0) from lockkeeper_claim c"
              + " where c.resource_id = r.id and c.granted = 1)"
              + " from lockkeeper_resource r where r.namespace = ? and r.name = ?";
      try (PreparedStatement statement = watcher.prepareStatement(sql)) {
        statement.setString(1, namespace);
        statement.setString(2, name);
        try (ResultSet rows = statement.executeQuery()) {
          while (rows.next()) {
            for (int i = 1; i <= 3; i++) {
              if (rows.getLong(i) != rows.getLong(i + 3)) {
                throw new AssertionError(
                    "the row counts %d, but there are %d (%d)"
                        .formatted(rows.getLong(i), rows.getLong(i + 3), i));
              }
            }
          }
        }
      }
    }
  }

  /** Writes down the grants in an answer of the store under test. */
  private record Naming(Side side, List<Grant> grants) implements Clients {
    @Override
    public String id(int client) {
      return side.id(client);
    }

    @Override
    public int number(String id) {
      return side.number(id);
    }

    @Override
    public void granted(int client, Grant grant) {
      grants.add(grant);
    }
  }

  /** Counts on; each number of a client is counted once, however often it is asked. */
  private static final class Count implements Operation {

    private final String name;
    private final long batch;

    Count(long[] batches, int client, String name) {
      this.name = name;
      this.batch = ++batches[client];
    }

    @Override
    public CompletionStage<Outcome<String>> on(Store store, int client, Clients clients) {
      CellUpdate update =
          new CellUpdate(
              new CellId(CellKind.COUNTER, name),
              batch,
              List.of(new CellChange.Add(1, null, true)),
              TIMEOUT.toMillis());
      return store
          .update(update)
          .thenApply(
              outcome -> {
                if (outcome instanceof Outcome.Answered<?> answered) {
                  return Outcome.answered(
                      ((io.lockkeeper.spi.CellUpdated) answered.answer())
                          .results().stream().map(Count::text).collect(Collectors.joining(", ")));
                } else if (outcome instanceof Outcome.Refused<?> refused) {
                  return Outcome.refused(refused.problem(), refused.message());
                }
                return Outcome.unknown(((Outcome.Unknown<?>) outcome).cause());
              });
    }

    private static String text(CellResult result) {
      return result.verdict() + " " + result.before() + " -> " + result.number();
    }

    @Override
    public String toString() {
      return "count, number " + batch;
    }
  }
}
