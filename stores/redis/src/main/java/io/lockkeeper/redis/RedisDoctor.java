package io.lockkeeper.redis;

import io.lockkeeper.redis.RedisSettings.Topology;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says which promises a Redis server keeps with the settings that it has. */
final class RedisDoctor implements StoreDoctor {

  private static final String RIGHTS =
      "the account may not ask: look yourself, or give it the right to INFO";
  private static final long LARGE_OFFSET_MICROS = 60_000_000;
  private static final long DIFFERENT_CLOCKS_MICROS = 1_000_000;
  private static final int NEARLY_FULL_PERCENT = 90;
  private static final Pattern REPLICA = Pattern.compile("ip=([^,]+),port=(\\d+)");

  private final RedisSettings settings;

  RedisDoctor(RedisSettings settings) {
    this.settings = settings;
  }

  @Override
  public List<Finding> examine(StoreContext context) {
    return OwnClient.consult(settings, context.environment().time(), this::examine);
  }

  private List<Finding> examine(List<ServerInfo> servers) {
    List<Finding> findings = new ArrayList<>();
    for (ServerInfo server : servers) {
      String suffix = servers.size() == 1 ? "" : " at " + server.where();
      for (Finding finding : examine(server)) {
        findings.add(
            new Finding(
                finding.verdict(), finding.subject() + suffix, finding.found(), finding.advice()));
      }
    }
    if (settings.topology() == Topology.CLUSTER && !servers.isEmpty()) {
      findings.add(cluster(servers));
    }
    return findings;
  }

  private List<Finding> examine(ServerInfo server) {
    Map<String, String> info = server.info();
    List<Finding> findings = new ArrayList<>();
    if (info.isEmpty()) {
      findings.add(Finding.warn("settings", "not known", RIGHTS));
    } else {
      findings.add(version(info));
      findings.add(role(info));
      findings.add(eviction(info));
      findings.add(memory(info));
      findings.add(Persistence.of(server, info, settings.loss()));
      findings.add(replicas(info));
    }
    clock(server).ifPresent(findings::add);
    replicasOf(info).forEach(replica -> clockOf(replica, server).ifPresent(findings::add));
    return findings;
  }

  private static Finding version(Map<String, String> info) {
    String version = info.getOrDefault("redis_version", "");
    String[] parts = version.split("\\.", -1);
    try {
      int number = 100 * Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]);
      return number >= 602
          ? Finding.ok("version", version)
          : Finding.fail("version", version, "use Redis 6.2 or newer");
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      return Finding.warn(
          "version", "'" + version + "'", "only Redis 6.2 and newer have been tested");
    }
  }

  private Finding role(Map<String, String> info) {
    boolean isCluster = "1".equals(info.get("cluster_enabled"));
    if (isCluster != (settings.topology() == Topology.CLUSTER)) {
      return isCluster
          ? Finding.fail(
              "topology", "the node of a cluster", "name it with redis-cluster:// in the URL")
          : Finding.fail("topology", "not a cluster", "name the server with redis:// in the URL");
    }
    String role = info.getOrDefault("role", "unknown");
    return "master".equals(role)
        ? Finding.ok("topology", settings.topology().scheme + ", " + role)
        : Finding.fail(
            "topology",
            "the server is a " + role.replace("slave", "replica") + ", which refuses writes",
            "name the master in the URL, or the Sentinels that know it");
  }

  private static Finding eviction(Map<String, String> info) {
    String policy = info.getOrDefault("maxmemory_policy", "unknown");
    boolean isLimited = !"0".equals(info.getOrDefault("maxmemory", "0"));
    if (policy.equals("noeviction")) {
      return Finding.ok("eviction", policy);
    }
    String advice = "set maxmemory-policy noeviction: eviction can forget a holder (X1)";
    return isLimited
        ? Finding.fail("eviction", policy + ", and the memory is limited", advice)
        : Finding.warn("eviction", policy + ", though the memory is not limited now", advice);
  }

  private static Finding memory(Map<String, String> info) {
    long limit = number(info, "maxmemory");
    long used = number(info, "used_memory");
    if (limit == 0) {
      return Finding.ok("memory", used / 1_048_576 + " MB used, no limit");
    }
    long percent = 100 * used / limit;
    String found = percent + " % of the limit used";
    return percent < NEARLY_FULL_PERCENT
        ? Finding.ok("memory", found)
        : Finding.warn("memory", found, "raise maxmemory: when it is full, claims are refused");
  }

  private Finding replicas(Map<String, String> info) {
    long connected = number(info, "connected_slaves");
    int wanted = settings.replication().replicas();
    if (wanted > 0) {
      String found = connected + " connected, " + wanted + " must confirm";
      return connected >= wanted
          ? Finding.ok("replicas", found)
          : Finding.fail("replicas", found, "connect more replicas: until then nothing is granted");
    }
    return connected == 0 && settings.topology() == Topology.SINGLE
        ? Finding.ok("replicas", "none")
        : Finding.warn(
            "replicas",
            connected + " connected, none has to confirm",
            "add ?replicas=1 to the URL: without it a failover can forget a holder (X1)");
  }

  private static Finding cluster(List<ServerInfo> servers) {
    Map<String, String> info = servers.get(0).clusterInfo();
    if (info.isEmpty()) {
      return Finding.warn("cluster", "not known", RIGHTS);
    }
    String state = info.getOrDefault("cluster_state", "unknown");
    String found =
        "%s, %d masters, %s slots served"
            .formatted(state, servers.size(), info.getOrDefault("cluster_slots_ok", "?"));
    return "ok".equals(state)
        ? Finding.ok("cluster", found)
        : Finding.fail("cluster", found, "repair it: names on the missing slots cannot be locked");
  }

  /**
   * The server's clock against this machine's: no promise rests on this one, so it is only told.
   */
  private static Optional<Finding> clock(ServerInfo server) {
    return offset(server)
        .map(
            offset -> {
              String found =
                  "%d ms %s this machine's"
                      .formatted(Math.abs(offset) / 1_000, offset < 0 ? "behind" : "ahead of");
              return Math.abs(offset) < LARGE_OFFSET_MICROS
                  ? Finding.ok("clock", found)
                  : Finding.warn(
                      "clock",
                      found,
                      "have both set by NTP: leases and tokens go by the server's clock, which must"
                          + " not jump when it is corrected");
            });
  }

  /** Returns the replicas that a master knows: each may become the master. */
  private static List<Address> replicasOf(Map<String, String> info) {
    List<Address> replicas = new ArrayList<>();
    for (int i = 0; info.containsKey("slave" + i); i++) {
      Matcher matcher = REPLICA.matcher(info.getOrDefault("slave" + i, ""));
      if (matcher.find()) {
        replicas.add(new Address(matcher.group(1), Integer.parseInt(matcher.group(2))));
      }
    }
    return replicas;
  }

  /** A replica's clock beside its master's, as far as it can be reached. */
  private Optional<Finding> clockOf(Address replica, ServerInfo master) {
    return master
        .other(replica)
        .flatMap(other -> offset(other).flatMap(its -> offset(master).map(own -> its - own)))
        .map(
            offset -> {
              String subject = "clock of the replica " + replica;
              String found = "%+d ms beside its master's".formatted(offset / 1_000);
              return Math.abs(offset) < DIFFERENT_CLOCKS_MICROS
                  ? Finding.ok(subject, found)
                  : Finding.warn(
                      subject,
                      found,
                      settings.topology() == Topology.CLUSTER || settings.loss().grantsAtOnce()
                          ? "have both set by NTP: if it takes over, leases end earlier or later by"
                              + " that (X1), and tokens may fall (T4)"
                          : "have both set by NTP: if it takes over and no client from before is"
                              + " there, tokens may fall (T4)");
            });
  }

  /** How far a server's clock is ahead of this machine's, in microseconds. */
  private static Optional<Long> offset(ServerInfo server) {
    long before = nowMicros();
    return server.nowMicros().map(there -> there - (before + nowMicros()) / 2);
  }

  /** Returns what the wall clock of this machine shows: it is compared with the servers'. */
  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  static long number(Map<String, String> info, String field) {
    try {
      return Long.parseLong(info.getOrDefault(field, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
