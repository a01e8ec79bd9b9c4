package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** The lines that operators find in the log. */
class ClientLogTest {

  private static List<String> lines(LogCapture log, String start) {
    return log.lines().stream().filter(line -> line.startsWith(start)).toList();
  }

  @Test
  void aClientSaysWhereItIs() {
    try (LogCapture log = new LogCapture()) {
      Rig.obliging().close();

      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("INFO Lockkeeper")
          .contains(" client 'test' (", ") uses scripted", "namespace 'lockkeeper'");
    }
  }

  @Test
  void anOutageIsOneWarningAndItsEndOneLine() {
    try (LogCapture log = new LogCapture();
        Rig rig = Rig.silent()) {
      rig.store.claims.always(request -> ScriptedStore.silence());
      CompletionStage<Lease> request = rig.keeper.lock("n").acquireAsync();
      CompletionStage<Lease> another = rig.keeper.lock("m").acquireAsync();
      assertThat(lines(log, "WARNING")).as("after one request without answer").isEmpty();

      rig.pass(Duration.ofSeconds(10));

      assertThat(lines(log, "WARNING"))
          .singleElement()
          .asString()
          .contains("does not answer client 'test'", "no answer");
      rig.store.oblige();
      rig.pass(Duration.ofSeconds(10));
      assertThat(lines(log, "INFO"))
          .element(1)
          .asString()
          .contains("answers client 'test'", "again");
      rig.got(request).release();
      rig.got(another).release();
      assertThat(log.lines()).hasSize(3);
    }
  }

  @Test
  void anotherNumberOfPermitsIsOneWarning() {
    try (LogCapture log = new LogCapture();
        Rig rig = Rig.obliging()) {
      Inspection three = new Inspection(List.of(), List.of(), 3, 1);
      rig.store.inspections.always(name -> Outcome.answered(three));

      rig.got(rig.keeper.semaphore("same", 3).acquireAsync().thenApply(it -> it)).release();
      for (int i = 0; i < 2; i++) {
        rig.got(rig.keeper.semaphore("other", 3).acquireAsync().thenApply(it -> it)).release();
        rig.got(rig.keeper.semaphore("other", 5).acquireAsync().thenApply(it -> it)).release();
      }

      assertThat(lines(log, "WARNING"))
          .singleElement()
          .asString()
          .contains("semaphore 'other' has 3 permits, and not 5 as this client says");
      assertThat(rig.store.log).filteredOn("inspect"::equals).hasSize(3);
    }
  }

  @Test
  void aLostLeaseIsAWarningWithItsHolderAndReason() {
    try (LogCapture log = new LogCapture();
        Rig rig = Rig.obliging()) {
      Actor actor = rig.actor("worker-3");
      actor.run(() -> rig.keeper.lock("stock").lock());
      rig.store.renewals.always(ScriptedStore::silence);
      rig.pass(Rig.LEASE.plusSeconds(1));

      assertThat(lines(log, "WARNING lease of "))
          .singleElement()
          .asString()
          .contains(
              "lock 'stock' with token ",
              " lost: EXPIRED; held by thread 'worker-3' of client 'test' (");
      Actor.get(
          actor.begin(
              () -> {
                try {
                  rig.keeper.lock("stock").unlock();
                } catch (LeaseLostException expected) {
                  // that is what it is about
                }
                return true;
              }));
    }
  }

  @Test
  void manyLostLeasesAreFewLines() {
    try (LogCapture log = new LogCapture();
        Rig rig = Rig.obliging()) {
      List<Lease> leases = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        leases.add(rig.got(rig.keeper.lock("n" + i).acquireAsync()));
      }
      rig.store.renewals.always(ScriptedStore::silence);
      rig.pass(Rig.LEASE.plusSeconds(1));

      assertThat(leases).noneMatch(Lease::isValid);
      assertThat(lines(log, "WARNING lease of ")).hasSize(20);
      assertThat(lines(log, "WARNING client ")).singleElement().asString().contains("more than 20");
    }
  }

  @Test
  void aClientThatClosesWarnsOfNothing() {
    try (LogCapture log = new LogCapture()) {
      Rig rig = Rig.obliging();
      rig.got(rig.keeper.lock("n").acquireAsync());
      rig.close();

      assertThat(lines(log, "WARNING")).isEmpty();
    }
  }

  @Test
  void atDebugEachRequestSaysWhatBecameOfIt() {
    Logger logger = Logger.getLogger("io.lockkeeper.lease");
    logger.setLevel(Level.FINE);
    try (LogCapture log = new LogCapture();
        Rig rig = Rig.obliging()) {
      rig.got(rig.keeper.lock("n").acquireAsync()).release();
      rig.pass(Duration.ofSeconds(1));

      assertThat(lines(log, "FINE"))
          .satisfiesExactly(
              line -> assertThat(line).startsWith("FINE lock 'n' acquired with token "),
              line -> assertThat(line).startsWith("FINE lock 'n' released with token "));
    } finally {
      logger.setLevel(null);
    }
  }
}
