package io.lockkeeper.quarkus;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of the client by their names in the core. */
final class Settings {

  private final Map<String, String> texts = new TreeMap<>();

  private Settings() {}

  static Map<String, String> of(LockkeeperConfiguration configuration, Optional<String> namespace) {
    Settings all = new Settings();
    all.put("url", configuration.url());
    all.put("namespace", namespace);
    all.put("connect", configuration.connect());
    all.put("client-name", configuration.clientName());
    all.put("lease", configuration.lease());
    all.put("renewal-interval", configuration.renewalInterval());
    all.put("store-timeout", configuration.storeTimeout());
    all.put("deadlocks.detect", configuration.deadlocks().detect());
    all.put("deadlocks.check", configuration.deadlocks().check());
    all.put("deadlocks.break-cycles", configuration.deadlocks().breakCycles());
    configuration
        .locks()
        .forEach(
            (pattern, options) ->
                options.forEach(
                    (option, value) ->
                        all.put("locks[" + pattern + "]." + option, Optional.of(value))));
    return all.texts;
  }

  private void put(String name, Optional<String> value) {
    value.ifPresent(text -> texts.put("lockkeeper." + name, text));
  }
}
