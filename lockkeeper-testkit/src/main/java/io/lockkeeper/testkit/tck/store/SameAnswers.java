package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.store.RandomOperations.Clients;
import io.lockkeeper.testkit.tck.store.RandomOperations.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random operations of several clients, done at two stores, which must answer the same in
 * everything but times and token values.
 */
public final class SameAnswers {

  private static final int CLIENTS = 4;
  private static final int STEPS = 120;
  private static final long LEASE_MILLIS = 600_000;

  /** Nothing dies of age: the clocks of the two differ. */
  private static final Timings TIMINGS = new Timings(600_000, 600_000, 600_000);

  private SameAnswers() {}

  /**
   * Compares two stores. Prints the seed, which the system property {@code lockkeeper.test.seed}
   * sets.
   *
   * @param namespace of the clients of both
   * @param schedules how many sequences of operations on each kind of resource
   */
  public static void compare(
      StoreFactory tested, StoreFactory reference, String namespace, int schedules) {
    long firstSeed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("seed " + firstSeed);
    Side atTested = new Side(tested, namespace);
    Side atReference = new Side(reference, namespace);
    try {
      int done = 0;
      for (int i = 0; i < schedules; i++) {
        for (ResourceKind kind : ResourceKind.values()) {
          new Schedule(firstSeed + i, kind, 1_000L * done++, atTested, atReference).run();
        }
      }
    } finally {
      atTested.probes.forEach(StoreProbe::close);
      atReference.probes.forEach(StoreProbe::close);
    }
  }

  /** The clients of one of the two stores. */
  private static final class Side implements Clients {

    private final List<StoreProbe> probes = new ArrayList<>();

    Side(StoreFactory factory, String namespace) {
      for (int i = 0; i < CLIENTS; i++) {
        probes.add(new StoreProbe(factory, namespace, TIMINGS));
      }
    }

    @Override
    public String id(int client) {
      return probes.get(client).id;
    }

    @Override
    public int number(String id) {
      return probes.stream().map(probe -> probe.id).toList().indexOf(id);
    }

    String answer(int client, Operation operation) {
      return StoreProbe.answer(
          StoreProbe.get(operation.on(probes.get(client).store, client, this)));
    }
  }

  /** One sequence of operations on one resource. */
  private static final class Schedule {

    private final long seed;
    private final Random random;
    private final RandomOperations operations;
    private final Side tested;
    private final Side reference;
    private final List<String> log = new ArrayList<>();

    Schedule(long seed, ResourceKind kind, long firstClaim, Side tested, Side reference) {
      this.seed = seed;
      this.random = new Random(seed);
      this.operations =
          new RandomOperations(random, kind, "r" + seed, CLIENTS, firstClaim, LEASE_MILLIS);
      this.tested = tested;
      this.reference = reference;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int client = random.nextInt(CLIENTS);
        logged(client, operations.next(client));
        both(client, operations.inspection());
      }
      for (int client = 0; client < CLIENTS; client++) {
        for (Operation operation : operations.last()) {
          logged(client, operation);
        }
      }
      both(0, operations.inspection());
    }

    private void logged(int client, Operation operation) {
      log.add(client + " " + operation);
      both(client, operation);
    }

    private void both(int client, Operation operation) {
      String expected = reference.answer(client, operation);
      assertThat(tested.answer(client, operation))
          .as(
              "%s; replay with -Dlockkeeper.test.seed=%d; so far:%n%s",
              operation, seed, String.join("\n", log))
          .isEqualTo(expected);
    }
  }
}
