package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.results.IdleResult;
import io.lockkeeper.bench.results.ServiceResult;
import io.lockkeeper.bench.results.ServiceRow;
import io.lockkeeper.bench.results.ServicesResults;
import io.lockkeeper.bench.results.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A whole run of services: one server, each load of the plan, and the idle clients at the end. */
public final class ServicesCoordinator {

  private final ServicesPlan plan;
  private final Settings settings;
  private final Progress progress;

  /** Creates a coordinator. */
  public ServicesCoordinator(ServicesPlan plan, Settings settings) {
    this.plan = plan;
    this.settings = settings;
    this.progress = settings.progress();
  }

  /** Runs the plan. */
  public ServicesResults run() throws IOException {
    try (Arena arena = Arena.open(settings.site());
        Crews crews = new Crews(arena.url(), plan.processes(), plan.jvmOptions(), plan.log())) {
      String server = arena.describe();
      progress.say("%s; seed %d", server, plan.seed());
      ServicesRunner runner = new ServicesRunner(plan, crews, arena.pid(), progress);
      List<ServiceResult> rows = new ArrayList<>();
      for (ServiceRow row : plan.rows()) {
        rows.add(runner.run(row));
      }
      List<IdleResult> idle =
          plan.idle().isZero() ? List.of() : new IdleRunner(plan, crews, progress).run();
      Setting setting =
          settings.of(
              server, plan.jvmOptions(), plan.rounds(), plan.turn(), plan.warmUp(), Duration.ZERO);
      return new ServicesResults(setting, plan.processes(), plan.seed(), rows, idle);
    }
  }
}
