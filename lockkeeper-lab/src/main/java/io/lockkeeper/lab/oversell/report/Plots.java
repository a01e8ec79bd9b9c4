package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The plots of a report. Each variant has one colour in all of them. */
final class Plots {

  private static final int WIDTH = 560;
  private static final int HEIGHT = 280;
  private static final double NANOS_PER_MILLI = 1e6;

  /** A logarithmic scale has no zero; this is what the histograms can tell from it. */
  private static final double LEAST_MILLIS = 0.001;

  private static final int CURVE_POINTS = 120;
  private static final double ROOM_FOR_LABEL = 2;

  /** The strategies by their numbers in the style sheet, which never change. */
  private static final List<String> COLORS =
      List.of(
          "none",
          "setnx",
          "lock",
          "fairLock",
          "jvm",
          "watch",
          "update",
          "forUpdate",
          "version",
          "setData");

  private final List<VariantResult> rows;

  Plots(List<VariantResult> rows) {
    this.rows = List.copyOf(rows);
  }

  /**
   * Makes sure that plots can be drawn here, before the work is done that they are to show.
   *
   * @throws CannotRunException if not
   */
  static void check() {
    System.setProperty("java.awt.headless", "true");
    try {
      Svg.measureText();
    } catch (RuntimeException | Error e) {
      throw new CannotRunException(
          "this Java cannot draw text, which the plots in the HTML report need: install fontconfig"
              + " and a font (on Debian: apt-get install fontconfig fonts-dejavu-core), or leave"
              + " out --html",
          e);
    }
  }

  /** Returns bars of one value per variant. */
  String bars(String title, ToDoubleFunction<VariantResult> value) {
    CategoryChart chart = categories();
    CategoryStyler style = chart.getStyler();
    style.setOverlapped(true);
    style.setLegendVisible(false);
    List<String> names = rows.stream().map(row -> row.strategy().name()).toList();
    double top = 0;
    for (int i = 0; i < rows.size(); i++) {
      List<Number> values = new ArrayList<>(Collections.nCopies(rows.size(), null));
      double number = Numbers.round(value.applyAsDouble(rows.get(i)));
      values.set(i, number);
      top = Math.max(top, number);
      chart.addSeries(names.get(i), names, values).setFillColor(color(rows.get(i)));
    }
    style.setYAxisMin(0.0);
    style.setYAxisMax(top == 0 ? 1 : top * 1.12);
    return Svg.of(chart, title);
  }

  private List<VariantResult> waiting() {
    return rows.stream().filter(VariantResult::waitsInLine).toList();
  }

  /** Returns the wait's median, 99th percentile and maximum, as bars on a logarithmic scale. */
  String waitBars(String title) {
    CategoryChart chart = categories();
    CategoryStyler style = chart.getStyler();
    style.setYAxisLogarithmic(true);
    style.setYAxisLogarithmicDecadeOnly(true);
    double least = Double.MAX_VALUE;
    double most = 0;
    for (VariantResult row : waiting()) {
      List<Double> millis =
          Stream.of(50, 99, 100).map(percentile -> millis(row, percentile)).toList();
      least = Math.min(least, millis.get(0));
      most = Math.max(most, millis.get(2));
      chart
          .addSeries(row.strategy().name(), List.of("p50", "p99", "max"), millis)
          .setFillColor(color(row));
    }
    style.setYAxisMin(decade(least, -1));
    style.setYAxisMax(decade(most * ROOM_FOR_LABEL, 1));
    chart.setYAxisTitle("ms");
    return Svg.of(chart, title);
  }

  /**
   * Returns the distribution of waits: for each share of orders the wait that it did not exceed.
   * The scale along the bottom gives each further nine of the share the same room.
   */
  String waitCurves(String title) {
    XYChart chart = new XYChartBuilder().width(WIDTH).height(HEIGHT).build();
    XYStyler style = chart.getStyler();
    Svg.applyTo(style);
    style.setXAxisLogarithmic(true);
    style.setXAxisLogarithmicDecadeOnly(true);
    style.setXAxisTickLabelsFormattingFunction(Plots::share);
    style.setPlotGridVerticalLinesVisible(false);
    style.setYAxisLogarithmic(true);
    style.setYAxisLogarithmicDecadeOnly(true);
    chart.setXAxisTitle("share of orders that waited no longer");
    chart.setYAxisTitle("ms");
    for (VariantResult row : waiting()) {
      addCurve(chart, row);
    }
    return Svg.of(chart, title);
  }

  private void addCurve(XYChart chart, VariantResult row) {
    double nines = Math.log10(Math.max(10.0, (double) row.waits().getTotalCount()));
    double[] oneIn = new double[CURVE_POINTS + 1];
    double[] millis = new double[CURVE_POINTS + 1];
    for (int i = 0; i <= CURVE_POINTS; i++) {
      oneIn[i] = Math.pow(10, nines * i / CURVE_POINTS);
      millis[i] = millis(row, 100 - 100 / oneIn[i]);
    }
    XYSeries curve = chart.addSeries(row.strategy().name(), oneIn, millis);
    curve.setLineColor(color(row));
    curve.setMarker(SeriesMarkers.NONE);
  }

  /** Returns the share that all but one in so many are. */
  private static String share(double oneIn) {
    int decimals = (int) Math.max(0, Math.round(Math.log10(oneIn)) - 2);
    return String.format(Numbers.LOCALE, "%." + decimals + "f%%", 100 - 100 / oneIn);
  }

  private static CategoryChart categories() {
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).build();
    CategoryStyler style = chart.getStyler();
    Svg.applyTo(style);
    style.setPlotGridVerticalLinesVisible(false);
    style.setAvailableSpaceFill(0.7);
    style.setLabelsVisible(true);
    style.setLabelsPosition(1.08);
    style.setLabelsFont(Svg.FONT);
    style.setLabelsFontColorAutomaticEnabled(false);
    style.setLabelsFontColor(Svg.INK);
    style.setYAxisDecimalPattern("#,##0.###");
    return chart;
  }

  private static double millis(VariantResult row, double percentile) {
    return Math.max(LEAST_MILLIS, Numbers.round(row.waitNanos(percentile) / NANOS_PER_MILLI));
  }

  private static double decade(double number, int direction) {
    double exponent = Math.log10(number);
    return Math.pow(10, direction < 0 ? Math.floor(exponent) : Math.ceil(exponent));
  }

  private Color color(VariantResult row) {
    return Svg.series(COLORS.indexOf(row.strategy().name()));
  }
}
