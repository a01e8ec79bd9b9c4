package io.lockkeeper.spi;

import java.util.Comparator;

/** The identity of a resource or of a cell. */
public sealed interface Named permits ResourceId, CellId {

  /** The order by name, and then by kind. */
  Comparator<Named> ORDER =
      Comparator.comparing(Named::name).thenComparing(named -> named.kind().name());

  /** Returns its kind. */
  Enum<?> kind();

  /** Returns the name that the user chose. */
  String name();
}
