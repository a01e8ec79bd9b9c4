package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Lanes with stretches of time in them; what two lanes have at the same time is red. */
public final class Lanes {

  private static final int WIDTH = 760;
  private static final int LEFT = 150;
  private static final int RIGHT = 20;
  private static final int TOP = 36;
  private static final int STEP = 26;
  private static final int BAR = 16;
  private static final String GREEN = "#2e7d32";
  private static final String RED = "#c62828";

  private record Stretch(String lane, long from, long to) {}

  private final String title;
  private final List<Stretch> stretches = new ArrayList<>();

  /** Creates it without any. */
  public Lanes(String title) {
    this.title = title;
  }

  /** Adds a stretch. */
  public void add(String lane, long fromNanos, long toNanos) {
    stretches.add(new Stretch(lane, fromNanos, toNanos));
  }

  /** Returns the drawing, or nothing if there is nothing to draw. */
  public String draw() {
    if (stretches.isEmpty()) {
      return "";
    }
    Set<String> lanes = new LinkedHashSet<>();
    stretches.forEach(stretch -> lanes.add(stretch.lane));
    List<String> names = List.copyOf(lanes);
    Svg svg = new Svg(WIDTH, TOP + STEP * names.size() + 10, title);
    for (int i = 0; i < names.size(); i++) {
      svg.text(LEFT - 8, TOP + STEP * i + BAR - 4, "end", "normal", names.get(i));
    }
    for (Stretch stretch : stretches) {
      double y = TOP + STEP * names.indexOf(stretch.lane);
      box(svg, y, stretch.from, stretch.to, GREEN);
      for (Stretch other : stretches) {
        long from = Math.max(stretch.from, other.from);
        long to = Math.min(stretch.to, other.to);
        if (!other.lane.equals(stretch.lane) && from < to) {
          box(svg, y, from, to, RED);
        }
      }
    }
    return svg.toString();
  }

  private void box(Svg svg, double y, long from, long to, String color) {
    long begin = stretches.stream().mapToLong(Stretch::from).min().orElse(0);
    long end = stretches.stream().mapToLong(Stretch::to).max().orElse(1);
    double scale = (WIDTH - LEFT - RIGHT) / (double) Math.max(1, end - begin);
    svg.box(LEFT + (from - begin) * scale, y, Math.max(2, (to - from) * scale), BAR, color);
  }
}
