package io.lockkeeper.zookeeper;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Who the clients of a namespace are. */
final class Directory {

  Directory(Connection connection, Paths paths, StoreContext context) {}

  /** Writes this client down, before its first claim. */
  void enter() {}

  CompletionStage<Outcome<List<ClientInfo>>> clients(List<String> ids) {
    return CompletableFuture.completedFuture(Outcome.answered(List.of()));
  }

  /** Takes this client off, when it closes. */
  void leave() {}
}
