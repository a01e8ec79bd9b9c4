package io.lockkeeper.testkit.versions;

import static io.lockkeeper.testkit.versions.Peer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client of today and one of an older version use the same things at the same time, and the older
 * one leaves: what a fleet goes through while it is upgraded one process at a time. Each client is
 * a process of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(240)
public abstract class MixedVersions {

  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration SHORT_LEASE = Duration.ofSeconds(4);

  /** The order in which clients come. */
  enum First {
    OLD,
    NEW
  }

  private final String namespace = "versions-" + UUID.randomUUID();
  private Peer old;
  private Peer today;

  /** Returns the URL of the store that both use. */
  protected abstract String url();

  /**
   * Returns whether a client of today lists what only clients of the earlier version use; a store
   * whose lists need an entry that they do not make overrides it.
   */
  protected boolean listsWhatOldersUse() {
    return true;
  }

  /** Returns the jar with the older version: of the store, and of the core that it needs. */
  protected Path older() {
    return Path.of("..", "..", "workshop", "simulation", "baseline", "lockkeeper.jar");
  }

  @BeforeAll
  void start() throws IOException {
    assertThat(older()).isRegularFile();
    old = start(older(), LEASE);
    today = start(null, LEASE);
  }

  private Peer start(@Nullable Path version, Duration lease) throws IOException {
    return Peer.start(version, url(), namespace, lease);
  }

  @AfterAll
  void stop() {
    if (old != null) {
      old.close();
    }
    if (today != null) {
      today.close();
    }
  }

  private Peer one(First first) {
    return first == First.OLD ? old : today;
  }

  private Peer other(First first) {
    return first == First.OLD ? today : old;
  }

  private static String name(String of, First first) {
    return of + " " + first;
  }

  /** Waits until a client sees so many waiting. */
  private static void awaitWaiting(Peer who, String kind, String name, int count) {
    String expected = Integer.toString(count);
    await().atMost(Delays.patience()).until(() -> who.ask("waiting", name, kind).equals(expected));
  }

  @Test
  void oneOfThemRunsTheOlderVersion() throws Exception {
    String jar = older().getFileName().toString();
    assertThat(old.ask("classes")).endsWith("/" + jar);
    assertThat(today.ask("classes")).doesNotEndWith("/" + jar);
  }

  // ------------------------------------------------------------- locks

  @Test
  void oneOfThemAtATime(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("number"), "0");
    List<CompletableFuture<String>> working = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      working.add(old.begin("work", "exclusion", folder, 60));
      working.add(today.begin("work", "exclusion", folder, 60));
    }
    for (CompletableFuture<String> work : working) {
      answer(work);
    }
    assertCounted(folder, 2 * 3 * 60);
  }

  private static void assertCounted(Path folder, int expected) throws IOException {
    assertThat(Files.readString(folder.resolve("number"))).isEqualTo(Integer.toString(expected));
    List<Long> tokens =
        Files.readAllLines(folder.resolve("tokens")).stream().map(Long::valueOf).toList();
    assertThat(tokens).hasSize(expected).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void theyAreLetInInTheOrderInWhichTheyAsked(First first) throws Exception {
    String name = name("queue", first);
    one(first).ask("lock", name, name);
    List<CompletableFuture<String>> grants = new ArrayList<>();
    for (int i = 1; i <= 6; i++) {
      Peer asking = i % 2 == 0 ? one(first) : other(first);
      grants.add(asking.begin("fairLock", name, name + i));
      awaitWaiting(i % 3 == 0 ? one(first) : other(first), "LOCK", name, i);
    }
    one(first).ask("release", name);
    long last = 0;
    for (int i = 1; i <= 6; i++) {
      List<CompletableFuture<String>> waiting = grants.subList(i - 1, grants.size());
      answer(CompletableFuture.anyOf(waiting.toArray(CompletableFuture[]::new)));
      assertThat(waiting.stream().map(CompletableFuture::isDone).toList())
          .as("the next admitted waiter, from number %d on", i)
          .startsWith(true)
          .containsOnlyOnce(true);
      long token = Long.parseLong(answer(waiting.get(0)));
      assertThat(token).isGreaterThan(last);
      last = token;
      (i % 2 == 0 ? one(first) : other(first)).ask("release", name + i);
    }
    await()
        .atMost(Delays.patience())
        .until(() -> other(first).ask("isLocked", name).equals("false"));
  }

  @ParameterizedTest
  @EnumSource
  void theyReadTogetherAndWriteAlone(First first) throws Exception {
    String name = name("catalogue", first);
    one(first).ask("readLock", name, name + "a");
    other(first).ask("readLock", name, name + "b");
    CompletableFuture<String> writing = other(first).begin("writeLock", name, name + "c");
    awaitWaiting(one(first), "READ_WRITE_LOCK", name, 1);
    CompletableFuture<String> reading = one(first).begin("readLock", name, name + "d");
    awaitWaiting(other(first), "READ_WRITE_LOCK", name, 2);
    one(first).ask("release", name + "a");
    assertThat(writing).isNotDone();
    other(first).ask("release", name + "b");
    long writer = Long.parseLong(answer(writing));
    assertThat(reading).isNotDone();
    other(first).ask("release", name + "c");
    assertThat(Long.parseLong(answer(reading))).isGreaterThan(writer);
    one(first).ask("release", name + "d");
  }

  @ParameterizedTest
  @EnumSource
  void eachSeesWhatTheOtherHoldsAndCanTakeItAway(First first) throws Exception {
    String name = name("report", first);
    one(first).ask("lock", name, name);
    assertThat(other(first).ask("holding", name, "LOCK")).isEqualTo("1");
    if (first == First.NEW || listsWhatOldersUse()) {
      assertThat(other(first).ask("listed", name)).isEqualTo("1");
    }
    assertThat(other(first).ask("forceUnlock", name)).isEqualTo("true");
    assertThat(one(first).ask("lost", name)).isNotEmpty();
    assertThat(one(first).ask("isValid", name)).isEqualTo("false");
  }

  @ParameterizedTest
  @EnumSource
  void aRenewedLeaseKeepsTheOtherOutAndADeadHolderDoesNot(First first) throws Exception {
    String name = name("renewed", first);
    try (Peer holding = start(first == First.OLD ? older() : null, SHORT_LEASE)) {
      holding.ask("fairLock", name, name);
      CompletableFuture<String> waiting = other(first).begin("fairLock", name, name);
      awaitWaiting(one(first), "LOCK", name, 1);
      await().atMost(Delays.patience()).until(() -> Integer.parseInt(holding.ask("renewals")) >= 4);
      assertThat(holding.ask("isValid", name)).isEqualTo("true");
      assertThat(waiting).isNotDone();
      CompletableFuture<String> behind = holding.begin("fairLock", name, name + "2");
      awaitWaiting(other(first), "LOCK", name, 2);
      holding.kill();
      answer(waiting);
      assertThat(behind).isCompletedExceptionally();
      other(first).ask("release", name);
    }
  }

  // ------------------------------------------------------------- permits

  @ParameterizedTest
  @EnumSource
  void theyShareTheSamePermits(First first) throws Exception {
    String name = name("permits", first);
    one(first).ask("permits", name, name + "a", 4, 3);
    other(first).ask("permits", name, name + "b", 4, 1);
    assertThat(one(first).ask("available", name, 4)).isEqualTo("0");
    CompletableFuture<String> waiting = other(first).begin("permits", name, name + "c", 4, 2);
    awaitWaiting(one(first), "SEMAPHORE", name, 1);
    one(first).ask("releaseSome", name + "a", 2);
    answer(waiting);
    one(first).ask("release", name + "a");
    await()
        .atMost(Delays.patience())
        .until(() -> other(first).ask("available", name, 4).equals("1"));
    other(first).ask("setPermits", name, 6);
    assertThat(one(first).ask("available", name, 4)).isEqualTo("3");
    other(first).ask("release", name + "b");
    other(first).ask("release", name + "c");
  }

  @ParameterizedTest
  @EnumSource
  void theyMeetAtABarrier(First first) throws Exception {
    String name = name("barrier", first);
    for (int round = 0; round < 5; round++) {
      CompletableFuture<String> here = one(first).begin("barrier", name);
      CompletableFuture<String> there = other(first).begin("barrier", name);
      answer(here);
      answer(there);
    }
  }

  @ParameterizedTest
  @EnumSource
  void leadershipGoesFromOneToTheOther(First first) throws Exception {
    String name = name("leader", first);
    long before = Long.parseLong(one(first).ask("lead", name));
    CompletableFuture<String> next = other(first).begin("lead", name);
    awaitWaiting(one(first), "LEADER_ELECTION", name, 1);
    assertThat(other(first).ask("leader", name)).isEqualTo("true");
    one(first).ask("resign", name);
    assertThat(Long.parseLong(answer(next))).isGreaterThan(before);
    other(first).ask("resign", name);
  }

  // ------------------------------------------------------------- cells

  @Test
  void theyCountTogether() throws Exception {
    List<CompletableFuture<String>> counting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      counting.add(old.begin("count", "counter", 50));
      counting.add(today.begin("count", "counter", 50));
    }
    for (CompletableFuture<String> count : counting) {
      answer(count);
    }
    assertThat(old.ask("count", "counter", 1)).isEqualTo("301");
    assertThat(today.ask("count", "counter", 1)).isEqualTo("302");
  }

  @Test
  void noUpdateOfAValueIsLost() throws Exception {
    CompletableFuture<String> here = today.begin("append", "text", "n", 40);
    CompletableFuture<String> there = old.begin("append", "text", "o", 40);
    answer(here);
    answer(there);
    assertThat(today.ask("value", "text").chars().filter(c -> c == 'n').count()).isEqualTo(40);
    assertThat(old.ask("value", "text").chars().filter(c -> c == 'o').count()).isEqualTo(40);
  }

  @ParameterizedTest
  @EnumSource
  void aListenerHearsWhatTheOtherSets(First first) throws Exception {
    String name = name("heard", first);
    one(first).ask("set", name, "before");
    CompletableFuture<String> hearing = one(first).begin("hear", name, "after");
    other(first).ask("set", name, "between");
    other(first).ask("set", name, "after");
    answer(hearing);
  }

  @ParameterizedTest
  @EnumSource
  void aLatchOpensForBoth(First first) throws Exception {
    String name = name("latch", first);
    assertThat(one(first).ask("latch", name, 2)).isEqualTo("true");
    assertThat(other(first).ask("latch", name, 2)).isEqualTo("false");
    CompletableFuture<String> here = one(first).begin("await", name);
    CompletableFuture<String> there = other(first).begin("await", name);
    other(first).ask("countDown", name);
    assertThat(here).isNotDone();
    assertThat(there).isNotDone();
    one(first).ask("countDown", name);
    answer(here);
    answer(there);
  }

  // ------------------------------------------------------------- an upgrade

  @Test
  void anUpgradeOfOneProcessAfterTheOtherLosesNothing(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("number"), "0");
    try (Peer firstOld = start(older(), LEASE);
        Peer secondOld = start(older(), LEASE)) {
      firstOld.ask("set", "kept", "as it was");
      firstOld.ask("count", "kept", 41);
      firstOld.ask("latch", "kept", 1);
      firstOld.ask("setPermits", "kept", 5);
      CompletableFuture<String> first = firstOld.begin("work", "upgrade", folder, 40);
      CompletableFuture<String> second = secondOld.begin("work", "upgrade", folder, 80);
      try (Peer firstNew = start(null, LEASE)) {
        CompletableFuture<String> third = firstNew.begin("work", "upgrade", folder, 80);
        answer(first);
        firstOld.ask("lock", "in hand", "in hand");
        CompletableFuture<String> after = firstNew.begin("lock", "in hand", "in hand");
        awaitWaiting(secondOld, "LOCK", "in hand", 1);
        firstOld.ask("close");
        answer(after);
        answer(second);
        secondOld.ask("close");
        answer(third);
        answer(firstNew.begin("work", "upgrade", folder, 20));
        assertCounted(folder, 40 + 80 + 80 + 20);

        assertThat(firstNew.ask("value", "kept")).isEqualTo("as it was");
        assertThat(firstNew.ask("count", "kept", 1)).isEqualTo("42");
        assertThat(firstNew.ask("available", "kept", 1)).isEqualTo("5");
        firstNew.ask("countDown", "kept");
        firstNew.ask("await", "kept");
      }
    }
  }
}
