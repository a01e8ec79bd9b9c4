package io.lockkeeper.spi.record;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.ResourceId;
import java.util.Arrays;
import java.util.List;

/** The keys of the records of a namespace. */
final class Keys {

  private final String namespace;

  Keys(String namespace) {
    this.namespace = Fields.escaped(namespace);
  }

  String of(ResourceId resource) {
    return resources() + resource.kind().id() + "/" + Fields.escaped(resource.name());
  }

  String of(CellId cell) {
    return namespace + "/c/" + cell.kind().suffix() + "/" + Fields.escaped(cell.name());
  }

  String ofClient(String id) {
    return namespace + "/m/" + id;
  }

  /** Returns how the keys of all resources begin whose names begin with a prefix. */
  List<String> resources(String prefix) {
    return prefix.isEmpty()
        ? List.of(resources())
        : Arrays.stream(ResourceKind.values())
            .map(kind -> of(new ResourceId(kind, prefix)))
            .toList();
  }

  private String resources() {
    return namespace + "/r/";
  }

  /** Returns how the keys of all cells but notes begin whose names begin with a prefix. */
  List<String> cells(String prefix) {
    return Arrays.stream(CellKind.values())
        .filter(kind -> kind != CellKind.NOTES)
        .map(kind -> of(new CellId(kind, prefix)))
        .toList();
  }

  /** Returns the cell with this key. */
  CellId cellOf(String key) {
    String[] parts = key.substring(namespace.length() + "/c/".length()).split("/", 2);
    return new CellId(CellKind.of(parts[0]), String.valueOf(Fields.unescaped(parts[1])));
  }

  /** Returns the resource with this key. */
  ResourceId resourceOf(String key) {
    String[] parts = key.substring(resources().length()).split("/", 2);
    return new ResourceId(
        ResourceKind.ofId(parts[0]).orElseThrow(), String.valueOf(Fields.unescaped(parts[1])));
  }

  /** Returns the namespaces of these keys, each once, without those where only clients are. */
  static List<String> namespacesOf(List<String> keys) {
    return keys.stream()
        .map(key -> key.split("/", 3))
        .filter(parts -> parts.length == 3 && (parts[1].equals("r") || parts[1].equals("c")))
        .map(parts -> String.valueOf(Fields.unescaped(parts[0])))
        .distinct()
        .toList();
  }
}
