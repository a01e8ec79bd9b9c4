package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The setting of one or several runs as a Markdown list. */
public final class SettingList {

  private final StringBuilder text = new StringBuilder();

  /** Adds a setting. */
  public void add(String setting, String value) {
    text.append("* ").append(setting).append(": ").append(value).append('\n');
  }

  /**
   * Adds a setting of several runs.
   *
   * @param values those of the runs by name; names appear only if the values differ
   */
  public void add(String setting, Map<String, String> values) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> names.computeIfAbsent(value, none -> new ArrayList<>()).add(name));
    add(
        setting,
        names.size() == 1
            ? names.keySet().iterator().next()
            : names.entrySet().stream()
                .map(it -> it.getKey() + " (" + String.join(", ", it.getValue()) + ")")
                .collect(Collectors.joining("; ")));
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
