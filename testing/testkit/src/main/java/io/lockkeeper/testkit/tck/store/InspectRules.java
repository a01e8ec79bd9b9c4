package io.lockkeeper.testkit.tck.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.testkit.tck.Delays;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Looking at everything, and force against one holder. */
interface InspectRules extends StoreRules {

  private static ClaimRequest labelled(StoreClient client, long claim, Share share, String label) {
    ClaimRequest plain = client.request(claim, share);
    return new ClaimRequest(
        plain.resource(), claim, plain.leaseMillis(), 1, true, plain.share(), label);
  }

  @Test
  default void labelsOfLocksAreKeptFromTheQueueToTheGrant() {
    StoreClient holder = client();
    StoreClient next = client();
    StoreClient last = client();
    Grant grant = holder.claim(labelled(holder, 1, Share.EXCLUSIVE, "main thread"));
    next.queue(labelled(next, 2, Share.EXCLUSIVE, "{\u00e4} 12"));
    last.queue(3);

    StoreClient operator = client();
    Inspection before = operator.inspect();
    holder.release(grant);
    Inspection after = operator.inspect();

    assertThat(before.holders())
        .extracting(Inspection.Holder::label)
        .containsExactly("main thread");
    assertThat(before.waiters())
        .extracting(waiter -> waiter.clientId() + waiter.claim() + waiter.label())
        .containsExactly(next.id() + "2{\u00e4} 12", last.id() + "3");
    assertThat(after.holders()).extracting(Inspection.Holder::label).containsExactly("{\u00e4} 12");
  }

  @Test
  default void aRenewalLabelsALock() {
    StoreClient holder = client();
    StoreClient next = client();
    Grant grant = holder.claim(labelled(holder, 1, Share.EXCLUSIVE, "one"));
    next.queue(labelled(next, 2, Share.EXCLUSIVE, "two"));
    next.queue(labelled(next, 3, Share.EXCLUSIVE, "three"));
    assertThat(labelAfter(holder, grant, null)).isEqualTo("one");
    assertThat(labelAfter(holder, grant, "{\u00e4} 12")).isEqualTo("{\u00e4} 12");
    assertThat(labelAfter(holder, grant, null)).isEqualTo("{\u00e4} 12");
    assertThat(labelAfter(holder, grant, "")).isEmpty();
    holder.release(grant);

    Grant both = next.lookGranted(2);

    assertThat(labelAfter(next, both, null)).as("a grant of two claims").isEmpty();
    assertThat(labelAfter(next, both, "three")).isEqualTo("three");
    next.release(both);
    assertThat(next.claim(4).claims()).containsExactly(4L);
    assertThat(client().inspect().holders().get(0).label()).isEmpty();
  }

  private String labelAfter(StoreClient client, Grant grant, @Nullable String label) {
    RenewRequest request =
        new RenewRequest(client.resource(), null, grant.grant(), LEASE_MILLIS, 0, label);
    assertThat(client.renew(List.of(request)).get(0).renewed()).isTrue();
    return client().inspect().holders().get(0).label();
  }

  @Test
  default void labelsOfSharesAreKeptFromTheQueueToTheGrantAndOverARenewal() {
    StoreClient holder = pool();
    StoreClient next = pool();
    Grant grant = holder.claim(labelled(holder, 1, StoreRules.ofThree(2), "one two"));
    next.queue(labelled(next, 2, StoreRules.ofThree(3), "next"));
    holder.renew(grant, LEASE_MILLIS);

    StoreClient operator = client().on(holder.resource());
    Inspection before = operator.inspect();
    holder.release(grant);
    Inspection after = operator.inspect();

    assertThat(before.holders()).extracting(Inspection.Holder::label).containsExactly("one two");
    assertThat(before.waiters())
        .extracting(waiter -> waiter.permits() + waiter.label())
        .containsExactly("3next");
    assertThat(after.holders()).extracting(Inspection.Holder::label).containsExactly("next");
  }

  @Test
  default void timesOfHoldersAndWaitersGrow() {
    StoreClient holder = client();
    StoreClient waiter = client();
    holder.claim(1);
    waiter.queue(1);
    passBeyond(SHORT_MILLIS);

    Inspection found = client().inspect();

    long least = SHORT_MILLIS * 1_000;
    long most = 60_000_000;
    assertThat(found.holders().get(0).heldMicros()).isBetween(least, most);
    assertThat(found.waiters().get(0).waitedMicros()).isBetween(least, most);
  }

  @Test
  default void theResourcesInUseAreListed() {
    StoreClient holder = client();
    StoreClient elsewhere = client();
    holder.claim(1);
    holder.on(ResourceId.lock("r{}%")).claim(2);
    Grant brief = holder.on(ResourceId.lock("brief")).claim(3);
    elsewhere.on(ResourceId.lock("r{}%")).queue(4);
    StoreClient pool = elsewhere.on(pool().resource());
    pool.claim(5, StoreRules.ofThree(1));
    holder.on(ResourceId.lock("brief")).release(brief);

    List<ResourceId> listed = client().resources();

    assertThat(listed)
        .contains(ResourceId.lock("r"), ResourceId.lock("r{}%"), pool.resource())
        .doesNotHaveDuplicates();
    assertThat(listed.stream().filter(id -> !client().on(id).inspect().isIdle()))
        .containsExactlyInAnyOrder(ResourceId.lock("r"), ResourceId.lock("r{}%"), pool.resource());
  }

  @Test
  default void resourcesAreListedByPrefixAndInParts() {
    StoreClient client = client();
    List<ResourceId> orders = new ArrayList<>();
    for (String name : List.of("b", "b{1}", "b%2", "bä", "bz", "b[*?]")) {
      orders.add(ResourceId.lock(name));
    }
    orders.add(new ResourceId(ResourceKind.LEADER_ELECTION, "b"));
    long claim = 0;
    for (ResourceId order : orders) {
      client.on(order).claim(++claim);
    }
    client.on(ResourceId.lock("a")).claim(++claim);
    client.on(ResourceId.lock("c")).claim(++claim);
    StoreClient pool = client.on(pool().resource());
    pool.claim(++claim, StoreRules.ofThree(1));

    assertThat(client.resources(Listing.all("b"))).containsExactlyInAnyOrderElementsOf(orders);
    assertThat(client.resources(Listing.all("b["))).containsExactly(ResourceId.lock("b[*?]"));
    assertThat(client.resources(Listing.all("nobody's"))).isEmpty();
    for (int limit : List.of(1, 2, orders.size())) {
      List<ResourceId> all = new ArrayList<>();
      List<ResourceId> page = client.resources(new Listing<>("b", null, limit));
      while (!page.isEmpty()) {
        assertThat(page).hasSizeLessThanOrEqualTo(limit);
        all.addAll(page);
        page = client.resources(new Listing<>("b", page.get(page.size() - 1), limit));
      }
      assertThat(all).as("in parts of %s", limit).containsExactlyInAnyOrderElementsOf(orders);
    }
  }

  @Test
  default void severalResourcesAreInspectedInTheirOrder() {
    StoreClient holder = client();
    StoreClient waiter = client();
    ResourceId held = ResourceId.lock("held");
    ResourceId waitedFor = ResourceId.lock("waited for");
    ResourceId idle = ResourceId.lock("idle");
    holder.on(held).claim(1);
    holder.on(waitedFor).claim(2);
    waiter.on(waitedFor).queue(3);
    holder.on(idle).release(holder.on(idle).claim(4));
    StoreClient pool = holder.on(pool().resource());
    pool.claim(5, StoreRules.ofThree(1));
    List<ResourceId> all =
        List.of(pool.resource(), held, ResourceId.lock("new"), waitedFor, idle, held);

    List<Inspection> found = client().inspect(all);

    assertThat(found)
        .map(Inspection::isIdle)
        .containsExactly(false, false, true, false, true, false);
    assertThat(found).map(Inspection::waiting).containsExactly(0, 0, 0, 1, 0, 0);
    assertThat(found.get(1).holders())
        .map(Inspection.Holder::clientId)
        .containsExactly(holder.id());
    assertThat(found.get(0).out()).isEqualTo(1);
  }

  @Test
  default void clientsAreKnownUntilTheyClose() {
    StoreClient one = client();
    StoreClient two = client();
    await() // a client is known before its first claim, but perhaps not at once
        .atMost(Delays.patience())
        .untilAsserted(
            () ->
                assertThat(one.clients(List.of(one.id(), two.id(), "nobody")))
                    .containsExactlyInAnyOrder(
                        new ClientInfo(one.id(), "contract", "a host", 7L),
                        new ClientInfo(two.id(), "contract", "a host", 7L)));

    two.store().close();

    await() // nobody waits until the store knows it
        .atMost(Delays.patience())
        .untilAsserted(() -> assertThat(one.clients(List.of(two.id()))).isEmpty());
  }

  @Test
  default void forceAgainstOneHolderOfALockMeansThatGrantOnly() {
    StoreClient holder = client();
    StoreClient next = client();
    holder.claim(1);
    next.queue(2);
    StoreClient operator = client();

    assertThat(operator.forceRelease(holder.id(), 9)).isFalse();
    assertThat(operator.forceRelease(next.id(), 1)).isFalse();
    assertThat(operator.inspect().holders().get(0).clientId()).isEqualTo(holder.id());
    assertThat(operator.forceRelease(holder.id(), 1)).isTrue();

    assertThat(next.awaitGranted(2).grant()).isEqualTo(2);
    holder.awaitNotification("revoked");
    assertThat(operator.forceRelease(holder.id(), 1)).isFalse();
    assertThat(operator.inspect().holders().get(0).clientId()).isEqualTo(next.id());
  }

  @Test
  default void forceAgainstOneHolderOfAShareLeavesTheOthers() {
    StoreClient holder = readWrite();
    StoreClient next = client().on(holder.resource());
    holder.claim(1, READER);
    holder.claim(2, READER);
    next.queue(3, WRITER);
    StoreClient operator = readWrite();

    assertThat(operator.forceRelease(holder.id(), 1)).isTrue();
    holder.awaitNotification("revoked");
    assertThat(operator.inspect().holders())
        .extracting(Inspection.Holder::grant)
        .containsExactly(2L);
    assertThat(operator.forceRelease(holder.id(), 1)).isFalse();
    assertThat(operator.forceRelease(holder.id(), 2)).isTrue();

    assertThat(next.awaitGranted(3).grant()).isEqualTo(3);
  }
}
