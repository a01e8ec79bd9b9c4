package io.lockkeeper.lab.report;

import java.util.Locale;

/** A drawing in the making. */
final class Svg {

  private final StringBuilder body = new StringBuilder();

  Svg(int width, int height, String title) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
            + " height=\"%d\" font-family=\"sans-serif\" font-size=\"12\" role=\"img\">",
        width, height, width, height);
    add("<title>%s</title>", escape(title));
    add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", width, height);
    text(width / 2.0, 20, "middle", "bold", title);
  }

  void line(double x1, double y1, double x2, double y2, String color) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        x1, y1, x2, y2, color);
  }

  void polyline(String points, String color) {
    add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, color);
  }

  void dot(double x, double y, String color) {
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>", x, y, color);
  }

  void box(double x, double y, double width, double height, String color) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
        x, y, width, height, color);
  }

  /** Writes text; {@code anchor} is start, middle or end, {@code weight} normal or bold. */
  void text(double x, double y, String anchor, String weight, String text) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-weight=\"%s\">%s</text>",
        x, y, anchor, weight, escape(text));
  }

  private void add(String format, Object... args) {
    body.append(String.format(Locale.ROOT, format, args)).append('\n');
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  @Override
  public String toString() {
    return body + "</svg>\n";
  }
}
