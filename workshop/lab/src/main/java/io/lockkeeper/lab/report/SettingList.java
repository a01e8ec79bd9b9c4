package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The setting of one or several runs as a Markdown list. */
public final class SettingList {

  private final StringBuilder text = new StringBuilder();

  public void add(String setting, String value) {
    text.append("* ").append(setting).append(": ").append(value).append('\n');
  }

  /** Adds a setting of one or several runs, whose names appear only if the values differ. */
  public <R> void add(
      String setting, List<R> runs, Function<R, String> name, Function<R, String> value) {
    Map<String, List<String>> names = new LinkedHashMap<>();
    for (R run : runs) {
      names.computeIfAbsent(value.apply(run), none -> new ArrayList<>()).add(name.apply(run));
    }
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
