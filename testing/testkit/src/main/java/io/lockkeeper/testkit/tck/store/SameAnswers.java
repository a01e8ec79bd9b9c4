package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Glance;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.store.RandomOperations.Clients;
import io.lockkeeper.testkit.tck.store.RandomOperations.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    Optional<List<Glance>> glances(int client, Listing<ResourceId> listing) {
      return StoreProbe.answer(StoreProbe.get(probes.get(client).store.glance(listing)));
    }

    boolean isIdle(int client, ResourceId resource) {
      return StoreProbe.answer(StoreProbe.get(probes.get(client).store.inspect(resource))).isIdle();
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
    private final ResourceId resource;
    private final Map<String, String> byStamp = new HashMap<>();

    Schedule(long seed, ResourceKind kind, long firstClaim, Side tested, Side reference) {
      this.seed = seed;
      this.random = new Random(seed);
      this.resource = new ResourceId(kind, "r" + seed);
      this.operations =
          new RandomOperations(random, kind, resource.name(), CLIENTS, firstClaim, LEASE_MILLIS);
      this.tested = tested;
      this.reference = reference;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        int client = random.nextInt(CLIENTS);
        logged(client, operations.next(client));
        both(client, operations.inspection());
        glance(client);
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

    /**
     * Glances at the resource, if the tested store can: it is there if it is in use, and with a
     * stamp that it had before only if it is again as it was then.
     */
    private void glance(int client) {
      Optional<List<Glance>> glances = tested.glances(client, Listing.all(resource.name()));
      if (glances.isEmpty()) {
        return;
      }
      String found = tested.answer(client, operations.inspection());
      List<String> stamps =
          glances.get().stream()
              .filter(glance -> glance.resource().equals(resource))
              .map(Glance::stamp)
              .toList();
      assertThat(stamps)
          .as("%s; replay with -Dlockkeeper.test.seed=%d", found, seed)
          .hasSize(tested.isIdle(client, resource) ? 0 : 1);
      for (String stamp : stamps) {
        assertThat(found)
            .as(
                "what had the stamp %s; replay with -Dlockkeeper.test.seed=%d; so far:%n%s",
                stamp, seed, String.join("\n", log))
            .isEqualTo(byStamp.computeIfAbsent(stamp, once -> found));
      }
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
