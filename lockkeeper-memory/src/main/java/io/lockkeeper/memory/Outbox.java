package io.lockkeeper.memory;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The hints that one operation gives rise to. They leave when the server's lock is free again. */
final class Outbox {

  /** A hint with what it carries. */
  record Letter(Hint hint, @Nullable Grant grant, @Nullable CellId cell) {

    ResourceId resource() {
      return Objects.requireNonNull(hint.resource());
    }
  }

  private final List<Letter> letters = new ArrayList<>();

  void granted(String clientId, ResourceId resource, Grant grant) {
    letters.add(new Letter(new Hint(clientId, Hint.Kind.GRANTED, resource), grant, null));
  }

  void wanted(String clientId, ResourceId resource) {
    letters.add(new Letter(new Hint(clientId, Hint.Kind.WANTED, resource), null, null));
  }

  void revoked(String clientId, ResourceId resource) {
    letters.add(new Letter(new Hint(clientId, Hint.Kind.REVOKED, resource), null, null));
  }

  void reconnected(String clientId) {
    letters.add(new Letter(new Hint(clientId, Hint.Kind.RECONNECTED, null), null, null));
  }

  void cellChanged(String clientId, CellId cell) {
    letters.add(new Letter(new Hint(clientId, Hint.Kind.CELL_CHANGED, null), null, cell));
  }

  List<Letter> letters() {
    return letters;
  }
}
