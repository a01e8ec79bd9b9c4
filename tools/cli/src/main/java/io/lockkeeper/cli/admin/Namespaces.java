package io.lockkeeper.cli.admin;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.cli.store.StoreOptions;
import java.util.List;
import java.util.stream.Collectors;

/** Says where a command found nothing, and which other namespaces the store has. */
final class Namespaces {

  private Namespaces() {}

  /** Returns what to say where nothing was found. */
  static String nothing(String what, Lockkeeper keeper, StoreOptions store) {
    String namespace = store.namespace();
    return what
        + " in the namespace '"
        + namespace
        + "' at "
        + store.describe()
        + "."
        + others(keeper, namespace);
  }

  private static String others(Lockkeeper keeper, String namespace) {
    List<String> others;
    try {
      others =
          keeper.admin().namespaces().stream().filter(each -> !each.equals(namespace)).toList();
    } catch (StoreRefusedException mayNotLook) {
      return "";
    }
    return others.isEmpty()
        ? " The store has no other namespace."
        : " Other namespaces at this store, for --namespace: "
            + others.stream().collect(Collectors.joining(", "))
            + ".";
  }
}
