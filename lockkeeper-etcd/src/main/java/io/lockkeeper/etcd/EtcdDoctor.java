package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Maintenance;
import io.etcd.jetcd.maintenance.AlarmMember;
import io.etcd.jetcd.maintenance.AlarmType;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Says which promises etcd keeps as it is set up. */
final class EtcdDoctor implements StoreDoctor {

  /** The largest that a database may grow unless {@code quota-backend-bytes} says more. */
  private static final long USUAL_QUOTA = 2L << 30;

  private static final String RIGHTS = "grant its role readwrite, as docs/stores-etcd.md says";

  private final EtcdSettings settings;

  EtcdDoctor(EtcdSettings settings) {
    this.settings = settings;
  }

  @Override
  public List<Finding> examine(StoreContext context) {
    List<Finding> findings = new ArrayList<>();
    try (Client client = EtcdStores.connect(settings)) {
      EtcdStores.check(client, settings.options());
      Maintenance maintenance = client.getMaintenanceClient();
      List<StatusResponse> answers = new ArrayList<>();
      for (String endpoint : settings.endpoints()) {
        if (answer(maintenance.statusMember(endpoint)) instanceof StatusResponse status) {
          answers.add(status);
        }
      }
      if (!answers.isEmpty()) {
        findings.add(version(answers));
      }
      findings.add(servers(answers));
      findings.add(space(answers, maintenance));
      findings.add(rights(client.getKVClient()));
    }
    return findings;
  }

  /** Returns what is answered in time, or else the failure. */
  private Object answer(CompletableFuture<?> question) {
    try {
      return question.get(settings.options().timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    } catch (ExecutionException | TimeoutException e) {
      return Failures.unwrap(e);
    }
  }

  private static Finding version(List<StatusResponse> answers) {
    List<String> found = answers.stream().map(StatusResponse::getVersion).distinct().toList();
    String text = String.join(", ", found);
    return found.stream().anyMatch(version -> version.matches("(2|3\\.[0-3])\\..*"))
        ? Finding.fail("version", text, "use etcd 3.4 or newer")
        : Finding.ok("version", text);
  }

  private Finding servers(List<StatusResponse> answers) {
    int named = settings.endpoints().size();
    String found = answers.size() + " of " + named + " named answer";
    if (answers.stream().allMatch(status -> status.getLeader() == 0)) {
      return Finding.fail(
          "servers", found + ", none knows a leader", "start the others: a majority has to agree");
    } else if (answers.size() < named) {
      return Finding.warn("servers", found, "start the others: with less than half nothing works");
    }
    return named == 1
        ? Finding.warn(
            "servers", found, "name three servers: a single one stops all when it is stopped")
        : Finding.ok("servers", found);
  }

  private Finding space(List<StatusResponse> answers, Maintenance maintenance) {
    long bytes = answers.stream().mapToLong(StatusResponse::getDbSize).max().orElse(0);
    String found = (bytes >> 20) + " MiB";
    if (answer(maintenance.listAlarms()) instanceof io.etcd.jetcd.maintenance.AlarmResponse all) {
      List<AlarmType> alarms =
          all.getAlarms().stream().map(AlarmMember::getAlarmType).distinct().toList();
      if (alarms.contains(AlarmType.NOSPACE)) {
        return Finding.fail(
            "space", found + ", the quota is used up", "compact, defragment and disarm the alarm");
      }
    }
    return bytes > USUAL_QUOTA / 10 * 8
        ? Finding.warn(
            "space",
            found + ", the usual quota is " + (USUAL_QUOTA >> 20) + " MiB",
            "compact and defragment, or raise quota-backend-bytes")
        : Finding.ok("space", found);
  }

  /** Says whether this user may write, without writing: the condition is never met. */
  private Finding rights(KV etcd) {
    ByteSequence key =
        new EtcdKeys(settings.options().prefix()).mark("doctor-" + UUID.randomUUID());
    Cmp never = new Cmp(key, Cmp.Op.GREATER, CmpTarget.version(0));
    Object found =
        answer(
            etcd.txn().If(never).Then(Op.put(key, ByteSequence.EMPTY, PutOption.DEFAULT)).commit());
    if (!(found instanceof Throwable failure)) {
      return Finding.ok("rights", "keys may be written below " + settings.options().prefix());
    }
    return settings.options().outcome(failure) instanceof Outcome.Refused<?> refused
        ? Finding.fail("rights", refused.message(), RIGHTS)
        : Finding.warn("rights", "no clear answer", "try it again");
  }
}
