package io.lockkeeper.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The properties of a kind of store, for the client that {@code lockkeeper.url} makes. */
abstract class UrlParameters {

  /** How long a request may take before its outcome counts as unknown. Default 3s. */
  private @Nullable Duration timeout;

  /** Whether the store notifies waiting clients; of databases, PostgreSQL does. Default true. */
  private @Nullable Boolean push;

  /** Returns how long a request may take. */
  public @Nullable Duration getTimeout() {
    return timeout;
  }

  /** Sets how long a request may take. */
  public void setTimeout(@Nullable Duration timeout) {
    this.timeout = timeout;
  }

  /** Returns whether waiting clients are notified. */
  public @Nullable Boolean getPush() {
    return push;
  }

  /** Sets whether waiting clients are notified. */
  public void setPush(@Nullable Boolean push) {
    this.push = push;
  }

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
