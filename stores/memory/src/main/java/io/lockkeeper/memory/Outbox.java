package io.lockkeeper.memory;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The notifications that one operation gives rise to. They leave when the server's lock is free
 * again.
 */
final class Outbox {

  /** A notification with what it carries. */
  record Letter(Push notification, @Nullable Grant grant, @Nullable CellId cell) {

    ResourceId resource() {
      return Objects.requireNonNull(notification.resource());
    }
  }

  private final List<Letter> letters = new ArrayList<>();

  void granted(String clientId, ResourceId resource, Grant grant) {
    letters.add(new Letter(new Push(clientId, Push.Kind.GRANTED, resource), grant, null));
  }

  void contended(String clientId, ResourceId resource) {
    letters.add(new Letter(new Push(clientId, Push.Kind.CONTENDED, resource), null, null));
  }

  void revoked(String clientId, ResourceId resource) {
    letters.add(new Letter(new Push(clientId, Push.Kind.REVOKED, resource), null, null));
  }

  void reconnected(String clientId) {
    letters.add(new Letter(new Push(clientId, Push.Kind.RECONNECTED, null), null, null));
  }

  void cellChanged(String clientId, CellId cell) {
    letters.add(new Letter(new Push(clientId, Push.Kind.CELL_CHANGED, null), null, cell));
  }

  List<Letter> letters() {
    return letters;
  }
}
