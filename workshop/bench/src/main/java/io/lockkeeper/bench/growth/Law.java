package io.lockkeeper.bench.growth;

import io.lockkeeper.lab.report.Numbers;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The law by which a cost grows, {@code base + slope * shape(n)}: the one of a few shapes that
 * meets what was measured best, where a factor too much weighs as much as a factor too little.
 *
 * @param base the part that does not grow, in microseconds
 * @param slope what is multiplied by the shape of the size, in microseconds
 */
record Law(Shape shape, double base, double slope) {

  /** Costs that differ by less than this part of their mean are the same. */
  private static final double SAME = 0.3;

  /** A simpler shape is kept until another one is closer by this factor. */
  private static final double CLOSER = 0.8;

  private static final double LEAST = 1e-3;

  /** How a cost may depend on the size. */
  enum Shape {
    CONSTANT("constant", ""),
    LOGARITHMIC("logarithmic", "ln n"),
    ROOT("a root", "√n"),
    LINEAR("linear", "n");

    private final String title;
    private final String formula;

    Shape(String title, String formula) {
      this.title = title;
      this.formula = formula;
    }

    private double of(double size) {
      return switch (this) {
        case CONSTANT -> 0;
        case LOGARITHMIC -> Math.log1p(size);
        case ROOT -> Math.sqrt(size);
        case LINEAR -> size;
      };
    }
  }

  /** Returns the law that fits best. */
  static Law of(List<Point> points) {
    double[] costs = points.stream().mapToDouble(Point::serverMicros).toArray();
    double mean = Arrays.stream(costs).average().orElse(0);
    double least = Arrays.stream(costs).min().orElse(0);
    double most = Arrays.stream(costs).max().orElse(0);
    Law constant = new Law(Shape.CONSTANT, mean, 0);
    boolean falls = costs.length > 1 && costs[costs.length - 1] <= costs[0];
    if (points.size() < 2 || most - least <= SAME * mean || falls) {
      return constant;
    }
    Law best = constant;
    for (Shape shape : List.of(Shape.LOGARITHMIC, Shape.ROOT, Shape.LINEAR)) {
      Law law = fit(shape, points);
      if (law.distance(points) < CLOSER * best.distance(points)) {
        best = law;
      }
    }
    return best;
  }

  /**
   * Lets the law pass through the smallest size and, of the others, the one that suits all best.
   */
  private static Law fit(Shape shape, List<Point> points) {
    Point first = points.get(0);
    double start = shape.of((double) first.size());
    return points.stream()
        .skip(1)
        .map(
            point -> {
              double run = shape.of((double) point.size()) - start;
              double slope = (point.serverMicros() - first.serverMicros()) / run;
              return new Law(shape, first.serverMicros() - slope * start, slope);
            })
        .min(Comparator.comparingDouble(law -> law.distance(points)))
        .orElseThrow();
  }

  /** Returns the cost at a size, in microseconds. */
  double at(double size) {
    return base + slope * shape.of(size);
  }

  private double distance(List<Point> points) {
    return points.stream()
        .mapToDouble(
            point ->
                Math.abs(
                    Math.log(Math.max(LEAST, at((double) point.size())))
                        - Math.log(Math.max(LEAST, point.serverMicros()))))
        .sum();
  }

  /** Returns its name and its formula. */
  @Override
  public String toString() {
    return shape == Shape.CONSTANT
        ? shape.title
        : "%s: %s %s %s · %s"
            .formatted(
                shape.title,
                Numbers.time(Math.abs(base)),
                slope < 0 ? "-" : "+",
                small(slope),
                shape.formula)
            .replaceFirst(": ", base < 0 ? ": -" : ": ");
  }

  private static String small(double micros) {
    double size = Math.abs(micros);
    return size < 0.1 ? Numbers.threeDigits(size * 1e3) + " ns" : Numbers.time(size);
  }
}
