package io.lockkeeper.micronaut;

import io.micronaut.context.ApplicationContext;
import java.util.LinkedHashMap;
import java.util.Map;

/** Starts applications. */
final class Applications {

  private Applications() {}

  /** Starts one with pairs of properties and values. */
  static ApplicationContext start(String... properties) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("micronaut.application.name", "shop");
    for (int i = 0; i < properties.length; i += 2) {
      map.put(properties[i], properties[i + 1]);
    }
    return ApplicationContext.run(map);
  }
}
