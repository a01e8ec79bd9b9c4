package io.lockkeeper.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of a kind of store, for the client that {@code lockkeeper.url} makes. */
abstract class UrlParameters {

  /** Returns the parameters that are set, if the URL is one of this kind of store. */
  abstract Map<String, @Nullable Object> parameters(String url);

  /** Returns the URL with what these properties set. */
  final String addTo(String url) {
    Map<String, Object> set = new LinkedHashMap<>();
    parameters(url)
        .forEach(
            (name, value) -> {
              if (value != null) {
                set.put(name, text(value));
              }
            });
    StringBuilder all = new StringBuilder(url);
    set.forEach(
        (name, value) ->
            all.append(all.indexOf("?") < 0 ? '?' : '&').append(name).append('=').append(value));
    return all.toString();
  }

  private static String text(Object value) {
    if (value instanceof Duration duration) {
      return duration.toMillis() + "ms";
    } else if (value instanceof Boolean isOn) {
      return isOn ? "on" : "off";
    }
    return value.toString().toLowerCase(Locale.ROOT);
  }
}
