package io.lockkeeper.cli.admin;

import io.lockkeeper.CellReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.cli.console.OutputOptions;
import io.lockkeeper.cli.console.UserCommand;
import io.lockkeeper.cli.store.StoreOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockkeeper list}: all holders and waiters. */
@Command(
    name = "list",
    description = {
      "Lists the holders and waiters of all programs that use the store.",
      "A lock may be handed off from thread to thread inside its client, which the store does not"
          + " see: its thread is ?, one of the client's."
    },
    footer = {"", "Exit status: 0 done; 2 wrong command line; 3 the store is out of reach."})
public final class ListCommand extends UserCommand {

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--prefix", paramLabel = "TEXT", description = "Only names that begin with this.")
  private String prefix = "";

  @Option(names = "--limit", paramLabel = "N", description = "At most so many names. Default: all.")
  private int limit = Integer.MAX_VALUE;

  @Option(names = "--cells", description = "List counters, shared values and latches instead.")
  private boolean cells;

  @Option(
      names = "--all-namespaces",
      description = "List those of each namespace of the store, one after the other.")
  private boolean allNamespaces;

  @Mixin private OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    if (limit < 1) {
      throw wrong(new IllegalArgumentException("--limit must be at least 1, was " + limit));
    }
    try (Lockkeeper keeper = store.connect(Lockkeeper.builder())) {
      List<Found> found = new ArrayList<>();
      if (allNamespaces) {
        for (String namespace : keeper.admin().namespaces()) {
          try (Lockkeeper there = store.connect(Lockkeeper.builder(), namespace)) {
            found.addAll(find(there, namespace));
          }
        }
      } else {
        found.addAll(find(keeper, store.namespace()));
      }
      output.print(found, Found::json, this::lines, found.isEmpty() ? nothing(keeper) : "");
      return ExitStatus.OK;
    }
  }

  /** Something that was found in a namespace: a report on a resource, or on a cell. */
  private record Found(
      String namespace, @Nullable ResourceReport resource, @Nullable CellReport cell) {

    Map<String, @Nullable Object> json() {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      map.put("namespace", namespace);
      if (resource != null) {
        map.putAll(resource.toMap());
      } else if (cell != null) {
        OptionalLong number = cell.number();
        map.put("name", cell.name());
        map.put("kind", cell.kind().toString());
        map.put("number", number.isPresent() ? number.getAsLong() : null);
        map.put("bytes", cell.size());
      }
      return map;
    }
  }

  private List<Found> find(Lockkeeper keeper, String namespace) {
    ResourceQuery query = ResourceQuery.prefix(prefix).limit(limit);
    return cells
        ? keeper.admin().cells(query).stream()
            .map(cell -> new Found(namespace, null, cell))
            .toList()
        : keeper.admin().inspect(query).stream()
            .map(resource -> new Found(namespace, resource, null))
            .toList();
  }

  private List<String> lines(List<Found> found) {
    List<String> lines = new ArrayList<>();
    Map<String, List<Found>> all =
        found.stream()
            .collect(Collectors.groupingBy(Found::namespace, TreeMap::new, Collectors.toList()));
    all.forEach(
        (namespace, those) -> {
          lines.add("Namespace '" + namespace + "':");
          lines.addAll(
              cells
                  ? ReportText.cells(
                      those.stream().map(Found::cell).filter(Objects::nonNull).toList())
                  : ReportText.resources(
                      those.stream().map(Found::resource).filter(Objects::nonNull).toList()));
        });
    return lines;
  }

  private String nothing(Lockkeeper keeper) {
    String what =
        cells ? "There are no counters, shared values or latches" : "Nobody holds or waits";
    return allNamespaces
        ? what + " in any namespace at " + store.describe() + "."
        : Namespaces.nothing(what, keeper, store);
  }
}
