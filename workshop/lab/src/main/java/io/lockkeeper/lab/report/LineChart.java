package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;

/** Lines over a few named places on the x axis, with a logarithmic y axis. */
public final class LineChart {

  private static final int WIDTH = 760;
  private static final int HEIGHT = 380;
  private static final int LEFT = 80;
  private static final int RIGHT = 190;
  private static final int TOP = 36;
  private static final int BOTTOM = 50;
  private static final String GRID = "#dddddd";

  private final String title;
  private final String axis;
  private final List<String> places;
  private final List<Series> series = new ArrayList<>();

  /**
   * Creates an empty chart.
   *
   * @param axis what the places on the x axis are
   */
  public LineChart(String title, String axis, List<String> places) {
    this.title = title;
    this.axis = axis;
    this.places = places;
  }

  private record Series(String label, String color, List<Double> values) {}

  /** Adds a line; a value that is not positive leaves a gap. */
  public void add(String label, String color, List<Double> values) {
    series.add(new Series(label, color, values));
  }

  /** Draws it; {@code format} makes the labels of the y axis. */
  public String draw(DoubleFunction<String> format) {
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    LogScale scale =
        new LogScale(
            series.stream().flatMap(s -> s.values.stream()).mapToDouble(Double::doubleValue));
    for (double decade : scale.decades()) {
      double y = y(scale, decade);
      svg.line(LEFT, y, WIDTH - RIGHT, y, GRID);
      svg.text(LEFT - 8, y + 4, "end", "normal", format.apply(decade));
    }
    for (int i = 0; i < places.size(); i++) {
      svg.text(x(i), HEIGHT - BOTTOM + 20, "middle", "normal", places.get(i));
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", "normal", axis);
    for (int i = 0; i < series.size(); i++) {
      drawSeries(svg, scale, series.get(i));
      double y = TOP + 14 + i * 20;
      svg.box(WIDTH - RIGHT + 16, y - 9, 12, 12, series.get(i).color);
      svg.text(WIDTH - RIGHT + 34, y + 1, "start", "normal", series.get(i).label);
    }
    return svg.toString();
  }

  private void drawSeries(Svg svg, LogScale scale, Series line) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < line.values.size(); i++) {
      double value = line.values.get(i);
      if (value > 0) {
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y(scale, value)));
        svg.dot(x(i), y(scale, value), line.color);
      }
    }
    svg.polyline(points.toString().strip(), line.color);
  }

  private double x(int place) {
    double step = (double) (WIDTH - LEFT - RIGHT) / places.size();
    return LEFT + step * (place + 0.5);
  }

  private static double y(LogScale scale, double value) {
    return HEIGHT - BOTTOM - scale.position(value) * (HEIGHT - TOP - BOTTOM);
  }
}
