package io.lockkeeper;

/**
 * Thrown to a writer whose fencing token is older than one that the guarded system has seen: its
 * lease has ended, and a later holder has written. What it wanted to write is not written.
 */
public final class StaleTokenException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  private final ResourceKind kind;
  private final String name;
  private final long token;
  private final long newerToken;

  /**
   * Creates the exception.
   *
   * @param kind the resource's kind
   * @param name the resource's name
   * @param token the token that was refused
   * @param newerToken the largest token that the guarded system has seen
   */
  public StaleTokenException(ResourceKind kind, String name, long token, long newerToken) {
    super(
        "the token %d of %s '%s' is stale: the guarded system has seen %d of a later holder"
            .formatted(token, kind, name, newerToken),
        null);
    this.kind = kind;
    this.name = name;
    this.token = token;
    this.newerToken = newerToken;
  }

  /** Returns the resource's kind. */
  public ResourceKind kind() {
    return kind;
  }

  /** Returns the resource's name. */
  public String name() {
    return name;
  }

  /** Returns the token that was refused. */
  public long token() {
    return token;
  }

  /** Returns the largest token that the guarded system has seen. */
  public long newerToken() {
    return newerToken;
  }
}
