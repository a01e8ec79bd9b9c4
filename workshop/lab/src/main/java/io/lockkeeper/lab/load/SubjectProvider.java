package io.lockkeeper.lab.load;

import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** What has locks of other products to put to the same test; found by {@link ServiceLoader}. */
public interface SubjectProvider {

  /** Returns what it has: names, and the type of the resources that each has. */
  Map<String, ResourceType> types();

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
        .filter(provider -> provider.types().containsKey(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no locks called '%s', but lockkeeper and %s"
                        .formatted(
                            name,
                            all.stream().flatMap(it -> it.types().keySet().stream()).toList())));
  }
}
