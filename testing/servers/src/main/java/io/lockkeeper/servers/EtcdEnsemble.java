package io.lockkeeper.servers;

import io.lockkeeper.servers.EtcdServer.Member;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Three real etcd servers that are one store. */
public final class EtcdEnsemble extends ServerEnsemble<EtcdServer> {

  /** The usual ones, where each server has all ports to itself. */
  private static final int CLIENT_PORT = 2379;

  private static final int PEER_PORT = 2380;

  /**
   * Prepares the servers.
   *
   * @param network whose hosts they run on, and which ends with them; null for this machine
   */
  EtcdEnsemble(EtcdServerBuilder settings, @Nullable PrivateNetwork network) {
    super(network, prepare(settings, network));
  }

  private static List<EtcdServer> prepare(
      EtcdServerBuilder settings, @Nullable PrivateNetwork network) {
    List<ServerSite> sites = sites(network, CLIENT_PORT);
    List<Member> members = new ArrayList<>();
    for (ServerSite site : sites) {
      members.add(Member.at(site, network == null ? Ports.free() : PEER_PORT));
    }
    List<EtcdServer> servers = new ArrayList<>();
    for (int host = 0; host < SIZE; host++) {
      servers.add(new EtcdServer(settings, sites.get(host), members.get(host), members));
    }
    return servers;
  }

  /** Starts three servers with default settings. */
  public static EtcdEnsemble start() {
    return EtcdServer.builder().startEnsemble();
  }

  @Override
  public String url() {
    return "etcd://" + connectString();
  }
}
