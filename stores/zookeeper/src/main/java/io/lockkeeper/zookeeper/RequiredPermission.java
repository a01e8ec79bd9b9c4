package io.lockkeeper.zookeeper;

import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;

/**
 * The use that is made of a node, so that a denial can name what is missing: ZooKeeper itself says
 * only which node it was about, and in a transaction not even that.
 */
record RequiredPermission(Permission permission, String path) {

  /** ZooKeeper's permissions, as far as they are needed. */
  enum Permission {
    READ("read (r)"),
    WRITE("write (w)"),
    CREATE("create (c)"),
    DELETE("delete (d)");

    private final String text;

    Permission(String text) {
      this.text = text;
    }

    /** Returns whether it is needed on the node above the one that is asked for. */
    private boolean isOfParent() {
      return this == CREATE || this == DELETE;
    }
  }

  static RequiredPermission read(String path) {
    return new RequiredPermission(Permission.READ, path);
  }

  static RequiredPermission write(String path) {
    return new RequiredPermission(Permission.WRITE, path);
  }

  static RequiredPermission create(String path) {
    return new RequiredPermission(Permission.CREATE, path);
  }

  static RequiredPermission delete(String path) {
    return new RequiredPermission(Permission.DELETE, path);
  }

  /** Returns what one of several things in one step asks for. */
  static RequiredPermission of(Op op) {
    Permission permission =
        switch (op.getType()) {
          case ZooDefs.OpCode.delete, ZooDefs.OpCode.deleteContainer -> Permission.DELETE;
          case ZooDefs.OpCode.setData -> Permission.WRITE;
          case ZooDefs.OpCode.check -> Permission.READ;
          default -> Permission.CREATE;
        };
    return new RequiredPermission(permission, op.getPath());
  }

  /** Returns the node on which the permission is needed. */
  private String node() {
    return permission.isOfParent() ? parent(path) : path;
  }

  /** Returns the node above this one. */
  static String parent(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  /** Says that it was denied, and what would be right. */
  String denied(ZooKeeperSettings settings) {
    String who =
        settings.user().isEmpty() ? "clients without a user" : "the user '" + settings.user() + "'";
    String node = node();
    boolean isGiven = (settings.root() + "/").startsWith(node.equals("/") ? "/" : node + "/");
    return "ZooKeeper denies "
        + who
        + " the permission "
        + permission.text
        + " on the node "
        + node
        + (isGiven
            ? "; allow it there, or put another path into the URL"
            : ", which is another's; use the user, the password and the acl that it was made with,"
                + " or another namespace or path");
  }
}
