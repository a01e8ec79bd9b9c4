package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Small plots below each other that share their x axis, which is a time. Each has a y axis of its
 * own, from zero, so that growth looks as large as it is.
 */
public final class TimePanels {

  private static final int WIDTH = 760;
  private static final int PANEL = 110;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 36;
  private static final int BOTTOM = 50;
  private static final int CAPTION = 20;
  private static final int PLACES = 6;
  private static final String GRID = "#dddddd";

  private final String title;
  private final String axis;
  private final List<Double> times;
  private final List<Panel> panels = new ArrayList<>();

  /**
   * Creates a drawing without plots.
   *
   * @param axis what the times are
   * @param times ascending, one at least
   */
  public TimePanels(String title, String axis, List<Double> times) {
    this.title = title;
    this.axis = axis;
    this.times = times;
  }

  private record Panel(String label, String color, List<Double> values) {}

  /** Adds a plot below the others, with a value for each time. */
  public void add(String label, String color, List<Double> values) {
    panels.add(new Panel(label, color, values));
  }

  /** Draws it. */
  public String draw() {
    int height = TOP + panels.size() * PANEL + BOTTOM;
    Svg svg = new Svg(WIDTH, height, title);
    for (int i = 0; i < panels.size(); i++) {
      drawPanel(svg, TOP + i * PANEL, panels.get(i));
    }
    double end = times.get(times.size() - 1);
    for (int i = 0; i <= PLACES; i++) {
      double time = end * i / PLACES;
      svg.text(x(time), height - BOTTOM + 20, "middle", "normal", number(time));
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, height - 10, "middle", "normal", axis);
    return svg.toString();
  }

  private void drawPanel(Svg svg, int top, Panel panel) {
    double most = panel.values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    double scale = most > 0 ? most : 1;
    double floor = top + PANEL;
    double room = PANEL - CAPTION - 6;
    for (int half = 0; half <= 2; half++) {
      double y = floor - room * half / 2;
      svg.line(LEFT, y, WIDTH - RIGHT, y, GRID);
      if (half > 0) {
        svg.text(LEFT - 8, y + 4, "end", "normal", number(scale * half / 2));
      }
    }
    svg.text(LEFT, top + CAPTION - 6, "start", "normal", panel.label);
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < times.size(); i++) {
      double y = floor - room * panel.values.get(i) / scale;
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(times.get(i)), y));
    }
    svg.polyline(points.toString().strip(), panel.color);
  }

  private double x(double time) {
    double end = Math.max(times.get(times.size() - 1), Double.MIN_NORMAL);
    return LEFT + (WIDTH - LEFT - RIGHT) * time / end;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%,.1f" : "%,.0f", value);
  }
}
