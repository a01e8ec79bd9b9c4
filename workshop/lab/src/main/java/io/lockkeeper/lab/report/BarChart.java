package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.List;

/** Horizontal bars from zero, each with its label and its value as text. */
public final class BarChart {

  private static final int WIDTH = 760;
  private static final int LEFT = 180;
  private static final int RIGHT = 110;
  private static final int TOP = 36;
  private static final int BAR = 20;
  private static final int STEP = 30;

  private final String title;
  private final List<Bar> bars = new ArrayList<>();

  public BarChart(String title) {
    this.title = title;
  }

  private record Bar(String label, String color, double value, String text) {}

  public void add(String label, String color, double value, String text) {
    bars.add(new Bar(label, color, value, text));
  }

  public String draw() {
    Svg svg = new Svg(WIDTH, TOP + STEP * bars.size() + 10, title);
    double most = bars.stream().mapToDouble(Bar::value).max().orElse(1);
    double y = TOP;
    for (Bar bar : bars) {
      double share = most > 0 && bar.value > 0 ? bar.value / most : 0;
      double width = share * (WIDTH - LEFT - RIGHT);
      svg.text(LEFT - 8, y + BAR - 6, "end", "normal", bar.label);
      svg.box(LEFT, y, width, BAR, bar.color);
      svg.text(LEFT + width + 6, y + BAR - 6, "start", "normal", bar.text);
      y += STEP;
    }
    return svg.toString();
  }
}
