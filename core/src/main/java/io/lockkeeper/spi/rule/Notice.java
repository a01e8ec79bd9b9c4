package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.Grant;

/** A notification that a client is to get when a step is carried out. */
public sealed interface Notice {

  /** Returns the client that it is for. */
  String client();

  /** A claim of the client has been granted. */
  record Granted(String client, Grant grant) implements Notice {}

  /** Another client waits for what the client holds and hands off locally. */
  record Contended(String client) implements Notice {}

  /** A grant of the client has been ended by somebody else. */
  record Revoked(String client) implements Notice {}
}
