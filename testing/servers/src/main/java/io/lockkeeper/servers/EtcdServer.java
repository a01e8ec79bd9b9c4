package io.lockkeeper.servers;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd server.
 *
 * <p>Not thread-safe, except for {@link #get} and {@link #post} and what is made of them.
 */
public final class EtcdServer extends MemberServer {

  private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");
  private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
  private static final Pattern LEASE = Pattern.compile("\"ID\":\"(\\d+)\"");
  private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");

  private final EtcdServerBuilder settings;
  private final ServerSite site;
  private final Member member;
  private final List<Member> members;
  private final @Nullable ServerCertificate certificate;

  /**
   * One of an ensemble, as the others know it.
   *
   * @param name its name, which no other server has
   * @param peerUrl where the others reach it
   */
  record Member(String name, String peerUrl) {

    /** Returns one at this place. */
    static Member at(ServerSite site, int peerPort) {
      return new Member(
          "etcd-" + UUID.randomUUID(), "http://" + site.innerAddress() + ":" + peerPort);
    }
  }

  /**
   * Prepares a server.
   *
   * @param members all of its ensemble, itself included
   */
  EtcdServer(EtcdServerBuilder settings, ServerSite site, Member member, List<Member> members) {
    this(settings, site, member, members, folder(settings.inMemory));
  }

  private EtcdServer(
      EtcdServerBuilder settings,
      ServerSite site,
      Member member,
      List<Member> members,
      Path folder) {
    super("etcd", site, folder);
    this.settings = settings;
    this.site = site;
    this.member = member;
    this.members = members;
    this.certificate = settings.tls ? ServerCertificate.create(folder) : null;
  }

  private static Path folder(boolean isInMemory) {
    String prefix = "lockkeeper-etcd-";
    return isInMemory ? TempFolder.createInMemory(prefix) : TempFolder.create(prefix);
  }

  /** Starts a server with default settings. */
  public static EtcdServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static EtcdServerBuilder builder() {
    return new EtcdServerBuilder();
  }

  @Override
  public String url() {
    return (certificate == null ? "etcd://" : "etcds://") + connectString();
  }

  /** Returns its certificate; null without TLS. */
  public @Nullable ServerCertificate certificate() {
    return certificate;
  }

  /**
   * Returns what it answers to a GET request.
   *
   * @param path such as {@code /health}
   * @throws IllegalStateException if it answers an error or nothing
   */
  public String get(String path) {
    return send(path, null);
  }

  /**
   * Sends a request to etcd's interface for JSON, and returns the answer.
   *
   * @param path such as {@code /v3/kv/range}
   * @throws IllegalStateException if it answers an error or nothing
   */
  public String post(String path, String json) {
    return send(path, json);
  }

  /** Forgets what all keys were before now; watches that have not come so far must read anew. */
  public void compact() {
    Matcher revision = REVISION.matcher(post("/v3/kv/range", "{\"key\":\"eA==\"}"));
    if (!revision.find()) {
      throw new IllegalStateException("no revision");
    }
    postUnless(
        "revision has been compacted",
        "/v3/kv/compaction",
        "{\"revision\":\"" + revision.group(1) + "\"}");
  }

  /** Returns the leases that are kept for clients. */
  public List<String> leases() {
    return LEASE
        .matcher(post("/v3/lease/leases", "{}"))
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  /** Ends all leases that are kept for clients, and the keys that hang on them. */
  public void revokeLeases() {
    leases()
        .forEach(
            id -> postUnless("lease not found", "/v3/lease/revoke", "{\"ID\":\"" + id + "\"}"));
  }

  /** Sends a request; that it was done already is no error. */
  private void postUnless(String done, String path, String json) {
    try {
      post(path, json);
    } catch (IllegalStateException e) {
      if (!String.valueOf(e.getMessage()).contains(done)) {
        throw e;
      }
    }
  }

  private String send(String path, @Nullable String json) {
    String scheme = certificate == null ? "http://" : "https://";
    SSLContext trust = certificate == null ? null : certificate.clientContext();
    return LocalHttp.send(URI.create(scheme + connectString() + path), Map.of(), json, trust);
  }

  /**
   * Returns what the server counts and measures, such as {@code etcd_debugging_mvcc_keys_total}.
   */
  public Map<String, String> metrics() {
    Map<String, String> metrics = new TreeMap<>();
    for (String line : get("/metrics").split("\n", -1)) {
      int space = line.lastIndexOf(' ');
      if (space > 0 && line.charAt(0) != '#') {
        metrics.put(line.substring(0, space), line.substring(space + 1));
      }
    }
    return metrics;
  }

  @Override
  public boolean isServing() {
    try {
      return isRunning() && get("/health").contains("\"true\"");
    } catch (IllegalStateException notNow) {
      return false;
    }
  }

  /** Returns whether who answers has the name of this server. */
  @Override
  boolean isItself() {
    try {
      String list = post("/v3/cluster/member/list", "{}");
      Matcher self = MEMBER.matcher(list);
      return self.find()
          && list.contains("\"ID\":\"%s\",\"name\":\"%s\"".formatted(self.group(1), member.name()));
    } catch (IllegalStateException notNow) {
      return false;
    }
  }

  @Override
  public boolean isLeader() {
    try {
      String status = isRunning() ? post("/v3/maintenance/status", "{}") : "";
      Matcher self = MEMBER.matcher(status);
      Matcher leader = LEADER.matcher(status);
      return self.find() && leader.find() && self.group(1).equals(leader.group(1));
    } catch (IllegalStateException notNow) {
      return false;
    }
  }

  @Override
  List<String> commandLine() {
    return settings.commandLine(site, member, members, certificate);
  }
}
