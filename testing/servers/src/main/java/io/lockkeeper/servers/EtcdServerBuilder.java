package io.lockkeeper.servers;

import io.lockkeeper.servers.EtcdServer.Member;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link EtcdServer}, or of all in an {@link EtcdEnsemble}. Each method returns
 * this builder.
 */
public final class EtcdServerBuilder {

  private boolean ownNetwork;
  private final Map<String, String> options = new LinkedHashMap<>();
  boolean tls;
  private boolean clientCertificates;
  boolean inMemory;

  EtcdServerBuilder() {}

  /**
   * Keeps its data in memory, on machines that have a file system for that: etcd waits for the disk
   * with each change, and a disk that others use may take seconds.
   */
  public EtcdServerBuilder inMemory() {
    this.inMemory = true;
    return this;
  }

  /** Speaks only TLS to clients, with a certificate made for the occasion. */
  public EtcdServerBuilder tls() {
    this.tls = true;
    return this;
  }

  /**
   * Speaks only TLS, and only with clients that show a certificate: the server's own, which is the
   * only one that it trusts.
   */
  public EtcdServerBuilder clientCertificates() {
    this.clientCertificates = true;
    return tls();
  }

  /**
   * Runs an ensemble's servers on hosts of their own, so that {@link EtcdEnsemble#isolate} can cut
   * the links between them; {@link PrivateNetwork#obstacle} says where that is not possible. A
   * server that is alone takes no notice.
   */
  public EtcdServerBuilder ownNetwork() {
    this.ownNetwork = true;
    return this;
  }

  /** Sets an option of the program, such as {@code quota-backend-bytes}. */
  public EtcdServerBuilder option(String name, String value) {
    options.put(name, value);
    return this;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @throws ServerStartException if it does not; the message has the end of the server's log
   */
  public EtcdServer start() {
    return Ports.start(() -> make(ServerSite.here()));
  }

  /** Makes a server that is alone, and does not start it. */
  EtcdServer make(ServerSite site) {
    Member self = Member.at(site, Ports.free());
    return new EtcdServer(this, site, self, List.of(self));
  }

  /**
   * Starts three servers that are one store, and waits until all of them serve.
   *
   * @throws ServerStartException if they do not
   * @throws IllegalStateException if they are to have hosts of their own and cannot
   */
  public EtcdEnsemble startEnsemble() {
    return ServerEnsemble.start(ownNetwork, network -> new EtcdEnsemble(this, network));
  }

  List<String> commandLine(
      ServerSite site,
      Member member,
      List<Member> members,
      @Nullable ServerCertificate certificate) {
    Map<String, String> all = new LinkedHashMap<>();
    String clients =
        (certificate == null ? "http://" : "https://") + site.address() + ":" + site.port();
    all.put("name", member.name());
    all.put("data-dir", "data");
    all.put("listen-client-urls", clients);
    all.put("advertise-client-urls", clients);
    all.put("listen-peer-urls", member.peerUrl());
    all.put("initial-advertise-peer-urls", member.peerUrl());
    all.put(
        "initial-cluster",
        members.stream()
            .map(other -> other.name() + "=" + other.peerUrl())
            .collect(Collectors.joining(",")));
    // An ensemble without a leader has a new one in a second or two.
    all.put("heartbeat-interval", "100");
    all.put("election-timeout", "1000");
    all.put("logger", "zap");
    if (certificate != null) {
      all.put("cert-file", certificate.certificatePem().toString());
      all.put("key-file", certificate.keyPem().toString());
      if (clientCertificates) {
        all.put("client-cert-auth", "true");
        all.put("trusted-ca-file", certificate.certificatePem().toString());
      }
    }
    all.putAll(options);
    List<String> command = new ArrayList<>();
    command.add(EtcdBinary.preferred().path().toString());
    all.forEach((name, value) -> command.add("--" + name + "=" + value));
    return command;
  }
}
