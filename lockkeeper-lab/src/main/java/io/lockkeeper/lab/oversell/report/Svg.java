package io.lockkeeper.lab.oversell.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Charts as SVG inside a page. The charts are drawn in marker colours, which the page's style sheet
 * then replaces by its own, for light and for dark.
 */
final class Svg {

  /** Text. */
  static final Color INK = new Color(1, 2, 3);

  static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

  private static final Color GRID = new Color(4, 5, 6);
  private static final Color CLEAR = new Color(0, 0, 0, 0);
  private static final int SERIES_RED = 7;
  private static final int SERIES_GREEN = 8;
  private static final Pattern SERIES = Pattern.compile("rgb\\(7,8,(\\d+)\\)");
  private static final Pattern CLIP = Pattern.compile("clip(-?\\d+)");
  private static final Pattern TOO_EXACT = Pattern.compile("(\\.\\d\\d)\\d+");
  private static final BasicStroke HAIRLINE = new BasicStroke(1);

  private Svg() {}

  /** Returns the marker colour of the series of this number, from 0. */
  static Color series(int number) {
    return new Color(SERIES_RED, SERIES_GREEN, number);
  }

  /** Has a chart drawn in the marker colours and without ornaments. */
  static void applyTo(AxesChartStyler style) {
    style.setBaseFont(FONT);
    style.setChartBackgroundColor(CLEAR);
    style.setPlotBackgroundColor(CLEAR);
    style.setPlotBorderVisible(false);
    style.setChartFontColor(INK);
    style.setXAxisTitleColor(INK);
    style.setYAxisTitleColor(INK);
    style.setAxisTickLabelsColor(INK);
    style.setAxisTickMarksColor(GRID);
    style.setAxisTickMarksStroke(HAIRLINE);
    style.setAxisTicksMarksVisible(false);
    style.setAxisTickLabelsFont(FONT);
    style.setAxisTitleFont(FONT);
    style.setPlotGridLinesColor(GRID);
    style.setPlotGridLinesStroke(HAIRLINE);
    style.setLegendPosition(LegendPosition.OutsideS);
    style.setLegendLayout(LegendLayout.Horizontal);
    style.setLegendBackgroundColor(CLEAR);
    style.setLegendBorderColor(CLEAR);
    style.setLegendFont(FONT);
    style.setLocale(Numbers.LOCALE);
  }

  /** Returns the chart as an {@code svg} element that fills the width it is given. */
  static String of(Chart<?, ?> chart, String title) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ChartEncoder.saveChart(chart, bytes, "svg");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String svg = bytes.toString(StandardCharsets.UTF_8);
    svg = svg.substring(svg.indexOf("<svg"));
    int headEnd = svg.indexOf('>');
    String head =
        "<svg role=\"img\" aria-label=\""
            + Html.escape(title)
            + "\" viewBox=\"0 0 "
            + chart.getWidth()
            + " "
            + chart.getHeight()
            + "\">";
    String body = TOO_EXACT.matcher(svg.substring(headEnd + 1)).replaceAll("$1");
    return head + inPageColors(uniqueClips(body, title));
  }

  /** Clip paths are named page-wide, so each chart puts its own mark before their names. */
  private static String uniqueClips(String svg, String title) {
    return CLIP.matcher(svg).replaceAll("c" + Integer.toHexString(title.hashCode()) + "-$1");
  }

  private static String inPageColors(String svg) {
    return SERIES
        .matcher(svg)
        .replaceAll("var(--series-$1)")
        .replace("rgb(1,2,3)", "var(--ink)")
        .replace("rgb(4,5,6)", "var(--grid)");
  }

  /** Does what drawing a chart does that can fail on a machine without fonts. */
  static void measureText() {
    Graphics2D graphics = new BufferedImage(1, 1, BufferedImage.TYPE_INT_ARGB).createGraphics();
    FONT.createGlyphVector(graphics.getFontRenderContext(), "0").getOutline();
    graphics.dispose();
  }
}
