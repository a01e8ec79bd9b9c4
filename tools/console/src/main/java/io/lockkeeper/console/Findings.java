package io.lockkeeper.console;

import io.lockkeeper.spi.Finding;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A doctor's findings, as maps for JSON. */
public final class Findings {

  private Findings() {}

  /** Returns a finding as a map. */
  public static Map<String, String> map(Finding finding) {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("verdict", verdict(finding));
    map.put("check", finding.subject());
    map.put("found", finding.found());
    map.put("advice", finding.advice());
    return map;
  }

  /** Returns the verdict as it is printed: {@code ok}, {@code warn} or {@code fail}. */
  public static String verdict(Finding finding) {
    return finding.verdict().name().toLowerCase(Locale.ROOT);
  }
}
