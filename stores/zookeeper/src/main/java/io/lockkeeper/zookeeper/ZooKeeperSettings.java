package io.lockkeeper.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;

/**
 * The settings in a URL.
 *
 * @param connectString the servers, with their ports
 * @param root the path under which everything is kept, without a slash at its end
 * @param user the name for digest authentication; empty for none
 * @param password the password for it
 * @param access who may see and change the nodes
 * @param timeout of a request
 * @param connectTimeout of the first connection
 * @param sessionTimeout how long the servers keep a silent client's nodes
 */
record ZooKeeperSettings(
    String connectString,
    String root,
    String user,
    String password,
    Access access,
    Duration timeout,
    Duration connectTimeout,
    Duration sessionTimeout) {

  /** The accounts that may see and change the nodes. */
  enum Access {
    /** Everybody who reaches the servers. */
    OPEN,
    /** Clients with the password that this client has. */
    CREATOR
  }

  List<ACL> acl() {
    return access == Access.OPEN ? ZooDefs.Ids.OPEN_ACL_UNSAFE : ZooDefs.Ids.CREATOR_ALL_ACL;
  }

  byte[] login() {
    return user.isEmpty() ? new byte[0] : (user + ":" + password).getBytes(StandardCharsets.UTF_8);
  }

  /** Says where it is, without any secret. */
  String describe() {
    return "zookeeper://" + connectString + root;
  }

  @Override
  public String toString() {
    return describe();
  }
}
