package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.Maintenance;
import io.etcd.jetcd.maintenance.AlarmResponse;
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
import io.lockkeeper.spi.support.Answers;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says which promises etcd keeps as it is set up. */
final class EtcdDoctor implements StoreDoctor {

  /** The largest that a database may grow unless {@code quota-backend-bytes} says more. */
  private static final long USUAL_QUOTA = 2L << 30;

  private static final Pattern QUOTA =
      Pattern.compile("(?m)^etcd_server_quota_backend_bytes ([0-9.e+]+)$");

  private static final String MAKE_ROOM = "make room with etcdctl compact and etcdctl defrag";

  private final EtcdSettings settings;

  EtcdDoctor(EtcdSettings settings) {
    this.settings = settings;
  }

  @Override
  public List<Finding> examine(StoreContext context) {
    List<Finding> findings = new ArrayList<>();
    try (Client client = EtcdStores.connect(settings)) {
      Maintenance maintenance = client.getMaintenanceClient();
      List<StatusResponse> answers = new ArrayList<>();
      for (String endpoint : settings.endpoints()) {
        if (answer(maintenance.statusMember(endpoint)) instanceof StatusResponse status) {
          answers.add(status);
        }
      }
      if (answers.isEmpty()) {
        EtcdStores.check(client, settings.options()); // which says why
      } else {
        findings.add(version(answers));
      }
      Finding servers = servers(answers);
      findings.add(servers);
      if (servers.verdict() != Finding.Verdict.FAIL) {
        findings.add(space(answers, maintenance));
        findings.add(rights(client.getKVClient()));
      }
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
      return Answers.cause(e);
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
    if (!answers.isEmpty() && answers.stream().allMatch(status -> status.getLeader() == 0)) {
      return Finding.fail(
          "servers", found + ", no leader", "start the others: a majority of them has to agree");
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
    OptionalLong told =
        settings.endpoints().stream().flatMapToLong(each -> quota(each).stream()).min();
    long quota = told.orElse(USUAL_QUOTA);
    String found =
        (bytes >> 20)
            + " MiB"
            + (told.isPresent() ? " of " + (quota >> 20) + " MiB" : ", quota not known");
    if (answer(maintenance.listAlarms()) instanceof AlarmResponse all
        && all.getAlarms().stream().anyMatch(it -> it.getAlarmType() == AlarmType.NOSPACE)) {
      return Finding.fail(
          "space", found + ", alarm NOSPACE", MAKE_ROOM + ", then etcdctl alarm disarm");
    }
    return bytes > quota / 10 * 8
        ? Finding.warn("space", found, MAKE_ROOM + ", or raise quota-backend-bytes")
        : Finding.ok("space", found);
  }

  /** Returns the quota of a server if it is among what the server lets everybody read. */
  private OptionalLong quota(String endpoint) {
    int millis = (int) Math.min(Integer.MAX_VALUE, settings.options().timeout().toMillis());
    try {
      URLConnection connection =
          URI.create(endpoint + "/metrics").toURL().openConnection(Proxy.NO_PROXY);
      connection.setConnectTimeout(millis);
      connection.setReadTimeout(millis);
      try (InputStream metrics = connection.getInputStream()) {
        Matcher quota = QUOTA.matcher(new String(metrics.readAllBytes(), StandardCharsets.UTF_8));
        return quota.find()
            ? OptionalLong.of((long) Double.parseDouble(quota.group(1)))
            : OptionalLong.empty();
      }
    } catch (IOException untold) {
      return OptionalLong.empty();
    }
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
        ? Finding.fail(
            "rights",
            refused.message(),
            "etcdctl role grant-permission locks --prefix=true readwrite "
                + settings.options().prefix()
                + "; etcdctl user grant-role "
                + (settings.user().isEmpty() ? "USER" : settings.user())
                + " locks")
        : Finding.warn("rights", "no clear answer", "try it again");
  }
}
