package io.lockkeeper.cli.store;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that say which stores, for commands that work on one or several. */
public final class StoresOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "A store, such as redis://localhost:6379; can be given several times.",
        "Default: what the variable LOCKKEEPER_URL says, or else the file ~/.lockkeeper/locks.db,"
            + " which all processes of this user on this machine share."
      })
  private List<String> stores = List.of();

  @Option(
      names = "--store-file",
      paramLabel = "FILE",
      description =
          "A file with a store's URL in its first line, for a URL with a password: what stands on a"
              + " command line, every user of the machine can read. Can be given several times, and"
              + " beside --store.")
  private List<Path> storeFiles = List.of();

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = {
        "Separates applications on one store; the same in all.",
        StoreOptions.DEFAULT_NAMESPACE_TEXT
      })
  private @Nullable String namespace;

  /** Returns each store that is meant, one at least. */
  public List<StoreOptions> each() {
    List<StoreOptions> each =
        Stream.concat(
                stores.stream().map(url -> new StoreOptions(spec, url, null, namespace)),
                storeFiles.stream().map(file -> new StoreOptions(spec, null, file, namespace)))
            .toList();
    return each.isEmpty() ? List.of(new StoreOptions(spec, null, null, namespace)) : each;
  }
}
