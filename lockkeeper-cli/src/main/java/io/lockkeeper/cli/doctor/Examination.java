package io.lockkeeper.cli.doctor;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.cli.console.Secrets;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.Timings;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;

/** All that is to be said about one store: by its own doctor, and by trying it. */
final class Examination {

  private static final Timings TIMINGS = new Timings(5_000, 1_000, 60_000);

  private final StoreOptions store;

  Examination(StoreOptions store) {
    this.store = store;
  }

  /**
   * Examines it. A store that cannot be reached is a finding too.
   *
   * @throws picocli.CommandLine.ParameterException if the URL is malformed
   */
  List<Finding> run() throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    long start = System.nanoTime();
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder());
        Lockkeeper other = store.connect(Lockkeeper.builder())) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      findings.add(Finding.ok("connection", "two clients connected in " + millis + " ms"));
      findings.addAll(ownDoctor());
      findings.addAll(new Trial(keeper, other).run());
    } catch (LockkeeperException e) {
      findings.add(
          Finding.fail(
              "connection",
              Secrets.hide(String.valueOf(e.getMessage())),
              "check the address, the network, and the account with its password and rights"));
      ownDoctorIfPossible(findings);
    }
    return findings;
  }

  /** What cannot be used can sometimes be asked all the same, and then says why. */
  private void ownDoctorIfPossible(List<Finding> findings) {
    try {
      findings.addAll(ownDoctor());
    } catch (LockkeeperException e) {
      // said already
    }
  }

  private List<Finding> ownDoctor() {
    String url = store.url();
    Optional<StoreDoctor> doctor = find(url);
    return doctor.isEmpty() ? List.of() : doctor.get().examine(context());
  }

  private static Optional<StoreDoctor> find(String url) {
    String scheme = url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      if (provider.schemes().contains(scheme)) {
        return provider.doctor(url);
      }
    }
    return Optional.empty();
  }

  private StoreContext context() {
    String id = UUID.randomUUID().toString().replace("-", "");
    return new StoreContext(
        new ClientInfo(id, "doctor", null, ProcessHandle.current().pid()),
        store.namespace(),
        TIMINGS,
        new Environment(System::nanoTime, NoScheduler::new, new SecureRandom()));
  }

  /** A doctor only asks: nothing is due later. */
  private static final class NoScheduler implements Scheduler {

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
