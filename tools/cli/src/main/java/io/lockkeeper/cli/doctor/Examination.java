package io.lockkeeper.cli.doctor;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.cli.store.StoreOptions;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.spi.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** All that is to be said about one store: by its own doctor, and by trying it. */
public final class Examination {

  private final StoreOptions store;
  private final Consumer<String> aside;

  /** Makes one, of the store that is meant there. */
  public Examination(StoreOptions store) {
    this(store, line -> {});
  }

  /**
   * Makes one.
   *
   * @param store the store that is meant there
   * @param aside takes a message on what takes long, and why
   */
  Examination(StoreOptions store, Consumer<String> aside) {
    this.store = store;
    this.aside = aside;
  }

  /**
   * Examines it. A store that cannot be reached is a finding too.
   *
   * @throws InterruptedException if the thread is interrupted while it waits for the store
   * @throws picocli.CommandLine.ParameterException if the URL is malformed
   */
  public List<Finding> run() throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    long start = System.nanoTime();
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder());
        Lockkeeper other = store.connect(Lockkeeper.builder())) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      findings.add(Finding.ok("connection", "two clients connected in " + millis + " ms"));
      findings.addAll(ownDoctor());
      keeper
          .admin()
          .quarantine()
          .ifPresent(
              found -> {
                findings.add(Finding.warn("restart", found.message(), "wait, or see afterLoss"));
                aside.accept("Waiting: " + found.message() + ".");
              });
      findings.addAll(new Trial(keeper, other).run());
    } catch (LockkeeperException e) {
      String advice =
          "check the address, the network, and the account with its password and rights";
      findings.add(Finding.fail("connection", Secrets.messageOf(e), advice));
      ownDoctorIfPossible(findings);
    }
    return findings;
  }

  /** Asks a store that cannot be used all the same: sometimes it says why. */
  private void ownDoctorIfPossible(List<Finding> findings) {
    try {
      findings.addAll(ownDoctor());
    } catch (LockkeeperException e) {
      // said already
    }
  }

  private List<Finding> ownDoctor() {
    String url = store.url();
    return store
        .provider()
        .flatMap(provider -> provider.doctor(url))
        .map(doctor -> doctor.examine(store.context("doctor")))
        .orElse(List.of());
  }
}
