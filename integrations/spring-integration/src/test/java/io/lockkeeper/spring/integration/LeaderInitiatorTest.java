package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnFailedToAcquireMutexEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;

@Tag("versions")
class LeaderInitiatorTest {

  private static final Duration LONG = Delays.millis(60_000);
  private static final String URL = "memory:leader-initiator-test";

  private final Lockkeeper keeper = Lockkeeper.connect(URL);
  private final Lockkeeper others = Lockkeeper.connect(URL);
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final List<LockkeeperLeaderInitiator> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(LockkeeperLeaderInitiator::stop);
    keeper.close();
    others.close();
  }

  private LockkeeperLeaderInitiator start(Lockkeeper client, Candidate candidate) {
    LockkeeperLeaderInitiator initiator = new LockkeeperLeaderInitiator(client, candidate);
    initiator.setApplicationEventPublisher(event -> told.add(event.getClass().getSimpleName()));
    initiator.start();
    started.add(initiator);
    return initiator;
  }

  private @Nullable String next() throws InterruptedException {
    return told.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** A candidate that says what it hears. */
  private Candidate candidate(String id) {
    return new AbstractCandidate(id, "role") {
      @Override
      public void onGranted(Context context) {
        told.add(id + " granted " + context.isLeader());
      }

      @Override
      public void onRevoked(Context context) {
        told.add(id + " revoked " + context.isLeader());
      }
    };
  }

  private static LockkeeperLeaderInitiator leaderInitiator(Lockkeeper keeper) {
    return new LockkeeperLeaderInitiator(keeper, new DefaultCandidate("shop-1", "reports"));
  }

  @Configuration
  static class Application {

    final BlockingQueue<AbstractLeaderEvent> events = new LinkedBlockingQueue<>();

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect(URL);
    }

    @Bean
    LockkeeperLeaderInitiator initiator(Lockkeeper keeper) {
      return leaderInitiator(keeper);
    }

    @EventListener
    void hear(AbstractLeaderEvent event) {
      events.add(event);
    }
  }

  @Test
  void anApplicationLeadsFromItsStartToItsEnd() throws InterruptedException {
    Application application;
    try (var context = new AnnotationConfigApplicationContext(Application.class)) {
      application = context.getBean(Application.class);
      AbstractLeaderEvent granted = application.events.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(granted).isInstanceOf(OnGrantedEvent.class);
      assertThat(granted.getRole()).isEqualTo("reports");
      assertThat(granted.getContext().isLeader()).isTrue();
      assertThat(others.leaderElection("reports").leader()).isPresent();
    }
    assertThat(application.events).singleElement().isInstanceOf(OnRevokedEvent.class);
  }

  @Test
  void theNextInLineLeadsWhenTheLeaderYieldsOrStops() throws InterruptedException {
    LockkeeperLeaderInitiator one = start(keeper, candidate("one"));
    assertThat(List.of(next(), next())).containsExactly("one granted true", "OnGrantedEvent");
    long token = one.term().orElseThrow().token();
    LockkeeperLeaderInitiator two = start(others, candidate("two"));

    one.getContext().yield();

    assertThat(List.of(next(), next(), next(), next()))
        .contains("one revoked false", "OnRevokedEvent", "two granted true", "OnGrantedEvent");
    assertThat(one.getContext().isLeader()).isFalse();
    assertThat(two.term().orElseThrow().token()).isGreaterThan(token);

    two.stop();

    assertThat(List.of(next(), next(), next(), next()))
        .contains("two revoked false", "OnRevokedEvent", "one granted true", "OnGrantedEvent");
    assertThat(two.isRunning()).isFalse();
  }

  @Test
  void whoeverIsForcedOutIsToldAndLeadsAgain() throws InterruptedException {
    start(keeper, candidate("one"));
    assertThat(List.of(next(), next())).containsExactly("one granted true", "OnGrantedEvent");

    HolderReport leader =
        others.admin().inspect(ResourceKind.LEADER_ELECTION, "role").holders().get(0);
    assertThat(others.admin().forceRelease(leader)).isTrue();

    assertThat(List.of(next(), next(), next(), next()))
        .containsExactly(
            "one revoked false", "OnRevokedEvent", "one granted true", "OnGrantedEvent");
  }

  @Test
  void workOnTheThreadOfTheGrantIsInterruptedAndOverBeforeTheRevocation()
      throws InterruptedException {
    Candidate working =
        new AbstractCandidate("working", "role") {
          @Override
          public void onGranted(Context context) throws InterruptedException {
            told.add("works");
            try {
              new CountDownLatch(1).await();
            } finally {
              told.add("ends");
            }
          }

          @Override
          public void onRevoked(Context context) {
            told.add("revoked");
          }
        };
    LockkeeperLeaderInitiator one = start(keeper, working);
    assertThat(next()).isEqualTo("works");
    CountDownLatch stopped = new CountDownLatch(1);

    one.stop(stopped::countDown);

    assertThat(stopped.await(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(told).containsExactly("ends", "revoked", "OnRevokedEvent");
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new IllegalStateException("cannot lead"),
        new NoClassDefFoundError("cannot lead"),
        new IOException("thrown by another language"));
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void throwAny(Throwable any) throws T {
    throw (T) any;
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aCandidateThatFailsStepsDown(Throwable failure) throws InterruptedException {
    Candidate failing =
        new AbstractCandidate("failing", "role") {
          @Override
          public void onGranted(Context context) {
            throwAny(failure);
          }

          @Override
          public void onRevoked(Context context) {
            throwAny(failure);
          }
        };
    LockkeeperLeaderInitiator one = start(keeper, failing);
    assertThat(next()).isEqualTo("OnRevokedEvent");
    start(others, candidate("two"));
    String heard;
    do {
      heard = next();
    } while ("OnRevokedEvent".equals(heard));

    assertThat(heard).isEqualTo("two granted true");
    assertThat(one.getContext().isLeader()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("failures")
  void anEventListenerThatFailsDoesNotEndTheTerm(Throwable failure) throws InterruptedException {
    LockkeeperLeaderInitiator one = new LockkeeperLeaderInitiator(keeper, candidate("one"));
    one.setApplicationEventPublisher(
        event -> {
          told.add(event.getClass().getSimpleName());
          throwAny(failure);
        });
    one.start();
    started.add(one);
    assertThat(List.of(next(), next())).containsExactly("one granted true", "OnGrantedEvent");
    LockkeeperLeaderInitiator two = start(others, candidate("two"));
    one.getContext().yield();
    assertThat(List.of(next(), next(), next(), next()))
        .as("after its only term")
        .contains("one revoked false", "OnRevokedEvent", "two granted true", "OnGrantedEvent");

    two.stop();

    assertThat(List.of(next(), next(), next(), next()))
        .contains("two revoked false", "OnRevokedEvent", "one granted true", "OnGrantedEvent");
  }

  @Test
  void aStoreThatDoesNotAnswerIsTold() throws InterruptedException {
    try (Lockkeeper unreachable =
        Lockkeeper.builder()
            .storeTimeout(Duration.ofSeconds(1))
            .connectLater()
            .connect("redis://127.0.0.1:1")) {
      LockkeeperLeaderInitiator one = start(unreachable, candidate("one"));

      assertThat(next()).isEqualTo(OnFailedToAcquireMutexEvent.class.getSimpleName());
      one.stop();
    }
  }

  @Test
  void itStartsAgainAfterAStop() throws InterruptedException {
    LockkeeperLeaderInitiator one = start(keeper, candidate("one"));
    assertThat(List.of(next(), next())).containsExactly("one granted true", "OnGrantedEvent");
    one.stop();
    assertThat(List.of(next(), next())).containsExactly("one revoked false", "OnRevokedEvent");

    one.start();

    assertThat(next()).isEqualTo("one granted true");
  }
}
