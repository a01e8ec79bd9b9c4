package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** What has locks of other products to put to the same test; found by {@link ServiceLoader}. */
public interface SubjectProvider {

  /** Returns the names of what it has. */
  List<String> names();

  /**
   * Returns what the named one has: resources of these types, one named twice for twice as much.
   */
  List<ResourceType> types(String name);

  /**
   * Opens a client.
   *
   * @param storeUrl where its store is
   * @param namespace what to set before every name at the store
   * @param lease for how long a holder that is gone may hold on
   */
  Subject open(String name, String storeUrl, String namespace, Duration lease);

  /**
   * Returns the provider of this name.
   *
   * @throws IllegalArgumentException if there is none; the message says which there are
   */
  static SubjectProvider find(String name) {
    List<SubjectProvider> all =
        ServiceLoader.load(SubjectProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    return all.stream()
        .filter(provider -> provider.names().contains(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no locks called '%s', but %s".formatted(name, names(all))));
  }

  private static List<String> names(List<SubjectProvider> all) {
    return Stream.concat(
            Stream.of("lockkeeper"), all.stream().flatMap(provider -> provider.names().stream()))
        .toList();
  }
}
