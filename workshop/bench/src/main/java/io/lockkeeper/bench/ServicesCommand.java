package io.lockkeeper.bench;

import io.lockkeeper.bench.Plan.Case;
import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.locks.Site;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;

/** Measures locks under the load of services, and writes results and a page. */
@Command(
    name = "services",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures locks under the load of services, which ask, work, and go away: about 25 minutes.",
      "The page keeps what earlier runs have found at other servers."
    })
final class ServicesCommand extends Comparison {

  private static final Set<Contender> CONTENDERS =
      EnumSet.of(
          Contender.FLOOR,
          Contender.LOCKKEEPER_LOCK,
          Contender.REDISSON_LOCK,
          Contender.SPRING_REDIS,
          Contender.CURATOR_MUTEX,
          Contender.SPRING_REGISTRY,
          Contender.JETCD_LOCK);

  @Override
  boolean takesPart(Contender contender) {
    return CONTENDERS.contains(contender);
  }

  @Override
  Results measure() throws IOException {
    Set<Case> cases = EnumSet.of(Case.FEW, Case.ONE_NAME, Case.IDLE);
    return measure(cases, 1, List.of(), 5, Duration.ofSeconds(10), Duration.ofSeconds(15));
  }

  @Override
  Path file(Path folder, Site site) {
    return Page.servicesFile(folder, site);
  }

  @Override
  Path writePage(Path folder, Site site) throws IOException {
    return Page.writeServices(folder);
  }
}
