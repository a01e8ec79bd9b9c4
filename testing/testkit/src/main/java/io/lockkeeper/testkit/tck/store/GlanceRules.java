package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Glance;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Glances at what is in use. The contract of a store that gives glances implements it beside {@link
 * StoreContract}.
 */
public interface GlanceRules extends StoreRules {

  @Test
  default void aStampTellsWhetherAnInspectionStillHolds() {
    StoreClient holder = client();
    StoreClient waiter = client();
    Grant grant = holder.claim(1);
    Glance held = glance(holder, LEASE_MILLIS);

    holder.renew(grant, 2 * LEASE_MILLIS);
    assertThat(glance(holder, 2 * LEASE_MILLIS).stamp()).isEqualTo(held.stamp());
    List<String> stamps = new ArrayList<>(List.of(held.stamp()));
    List<Runnable> changes =
        List.of(
            () -> waiter.queue(1),
            () -> waiter.queue(2),
            () -> waiter.withdraw(1),
            () -> waiter.queue(3),
            () -> holder.release(grant));
    for (Runnable change : changes) {
      change.run();
      stamps.add(glances(holder.resource()).get(0).stamp());
    }
    assertThat(stamps).doesNotHaveDuplicates();
    waiter.forceRelease();

    assertThat(glances(holder.resource())).isEmpty();
  }

  @Test
  default void aStampTellsWhetherAnInspectionOfSharesStillHolds() {
    StoreClient one = pool();
    StoreClient two = pool();
    List<String> stamps = new ArrayList<>();
    Grant grant = one.claim(1, StoreRules.ofThree(2));
    List<Runnable> changes =
        List.of(
            () -> two.claim(1, StoreRules.ofThree(1)),
            () -> two.queue(2, StoreRules.ofThree(3)),
            () -> two.queue(3, StoreRules.ofThree(3)),
            () -> two.withdraw(2),
            () -> one.shrink(grant, 1),
            () -> one.resize(5),
            () -> one.release(grant));
    for (Runnable change : changes) {
      stamps.add(glances(one.resource()).get(0).stamp());
      change.run();
    }
    stamps.add(glances(one.resource()).get(0).stamp());

    assertThat(stamps).doesNotHaveDuplicates();
    one.resize(Inspection.UNSET);
  }

  @Test
  default void whatIsInUseIsGlancedAtInParts() {
    StoreClient client = client();
    List<ResourceId> all = new ArrayList<>();
    long claim = 0;
    for (String name : List.of("b", "b{1}", "b%2", "b\u00e4", "bz", "b[*?]")) {
      all.add(ResourceId.lock(name));
      client.on(ResourceId.lock(name)).claim(++claim);
    }
    StoreClient gone = client.on(ResourceId.lock("b gone"));
    gone.release(gone.claim(++claim));
    client.on(ResourceId.lock("c")).claim(++claim);

    for (int limit : List.of(1, 2, all.size(), all.size() + 1)) {
      List<ResourceId> found = new ArrayList<>();
      List<ResourceId> part;
      do {
        ResourceId last = found.isEmpty() ? null : found.get(found.size() - 1);
        part =
            client.glances(new Listing<>("b", last, limit)).orElseThrow().stream()
                .map(Glance::resource)
                .toList();
        found.addAll(part);
      } while (part.size() == limit);
      assertThat(found).as("in parts of %s", limit).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  /** Glances at a lock, whose holder has such a lease. */
  private Glance glance(StoreClient holder, long leaseMillis) {
    Glance glance = glances(holder.resource()).get(0);
    long most = leaseMillis * 1_000;
    assertThat(glance.leaseMicros().orElseThrow()).isBetween(most / 2 + 1, most);
    return glance;
  }

  private List<Glance> glances(ResourceId resource) {
    return client().glances(Listing.all(resource.name())).orElseThrow().stream()
        .filter(glance -> glance.resource().equals(resource))
        .toList();
  }
}
