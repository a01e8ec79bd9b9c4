package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.check.Violation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.report.Html;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The history around a broken promise as a picture: a line for each thread, time to the right. */
final class Timeline {

  private static final int WIDTH = 960;
  private static final int LEFT = 110;
  private static final int LANE = 22;
  private static final int TOP = 34;
  private static final int MOST_LANES = 40;
  private static final double MARGIN = 0.1;
  private static final long LEAST_MARGIN_NANOS = 20_000_000;

  private final Violation violation;
  private final List<Event> events;
  private final long from;
  private final long to;
  private final Map<String, Integer> lanes = new TreeMap<>();
  private final StringBuilder svg = new StringBuilder();

  Timeline(Violation violation, History history) {
    this.violation = violation;
    List<Event> evidence = violation.evidence();
    long first = evidence.stream().mapToLong(Event::nanos).min().orElse(0);
    long last = evidence.stream().mapToLong(Event::nanos).max().orElse(0);
    long margin = Math.max(LEAST_MARGIN_NANOS, (long) ((last - first) * MARGIN));
    this.from = first - margin;
    this.to = last + margin;
    this.events = history.where(this::isShown);
    for (Event event : events) {
      if (!event.resource().isEmpty() && lanes.size() < MOST_LANES) {
        lanes.putIfAbsent(event.actor(), 0);
      }
    }
    int number = 0;
    for (Map.Entry<String, Integer> lane : lanes.entrySet()) {
      lane.setValue(number++);
    }
  }

  private boolean isShown(Event event) {
    boolean here = event.resource().isEmpty() || event.resource().equals(violation.resource());
    return here && event.nanos() >= from && event.nanos() <= to;
  }

  /** Returns the picture; empty if there is nothing to show. */
  String svg() {
    if (lanes.isEmpty()) {
      return "";
    }
    int height = TOP + LANE * lanes.size() + 8;
    svg.append("<svg viewBox=\"0 0 %d %d\" role=\"img\">".formatted(WIDTH, height));
    axis(height);
    for (Map.Entry<String, Integer> lane : lanes.entrySet()) {
      lane(lane.getKey(), lane.getValue());
    }
    events.stream().filter(event -> event.resource().isEmpty()).forEach(it -> fault(it, height));
    return svg.append("</svg>\n").toString();
  }

  private void axis(int height) {
    for (int tenth = 0; tenth <= 10; tenth++) {
      long nanos = from + (to - from) / 10 * tenth;
      svg.append(
          line("grid", x(nanos), TOP - 6, x(nanos), height)
              + text("faint", x(nanos) + 2, 12, ms(nanos)));
    }
  }

  private void lane(String actor, int number) {
    int y = TOP + LANE * number;
    svg.append(text("who", 4, y + 14, actor));
    long asked = 0;
    long got = 0;
    for (Event event : events) {
      if (!event.actor().equals(actor)) {
        continue;
      }
      switch (event.kind()) {
        case ASK, CALL -> asked = event.nanos();
        case GOT -> {
          box("wait", asked, event.nanos(), y, tip(event));
          got = event.nanos();
          asked = 0;
        }
        case RETURN, UNKNOWN, REFUSED, FAILED -> {
          box("call", asked, event.nanos(), y, tip(event));
          asked = 0;
        }
        case RELEASED, LOST -> {
          box(event.kind() == EventKind.LOST ? "lost" : "hold", got, event.nanos(), y, tip(event));
          got = 0;
        }
        default -> mark(event, y);
      }
    }
    if (got != 0) {
      box("hold", got, to, y, "held on");
    } else if (asked != 0) {
      box("wait", asked, to, y, "waited on");
    }
  }

  private void box(String kind, long start, long end, int y, String tip) {
    double left = x(Math.max(from, start));
    double width = Math.max(1, x(end) - left);
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\"><title>%s</title></rect>"
            .formatted(kind, number(left), y + 3, number(width), LANE - 6, Html.escape(tip)));
  }

  private void mark(Event event, int y) {
    svg.append(
        "<circle class=\"mark\" cx=\"%s\" cy=\"%d\" r=\"2.5\"><title>%s</title></circle>"
            .formatted(number(x(event.nanos())), y + LANE / 2, Html.escape(tip(event))));
  }

  private void fault(Event event, int height) {
    svg.append(
        line("fault", x(event.nanos()), TOP - 6, x(event.nanos()), height)
            + text("fault", x(event.nanos()) + 2, 24, event.kind() + " " + event.note()));
  }

  private String tip(Event event) {
    return "%s %s token %d value %d %s"
        .formatted(ms(event.nanos()), event.kind(), event.token(), event.value(), event.note());
  }

  private static String line(String kind, double x1, double y1, double x2, double y2) {
    return "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
        .formatted(kind, number(x1), number(y1), number(x2), number(y2));
  }

  private static String text(String kind, double x, double y, String text) {
    return "<text class=\"%s\" x=\"%s\" y=\"%s\">%s</text>"
        .formatted(kind, number(x), number(y), Html.escape(text));
  }

  private String ms(long nanos) {
    return "%.1f ms".formatted((nanos - from) / 1e6);
  }

  private double x(long nanos) {
    return LEFT + (double) (nanos - from) / (to - from) * (WIDTH - LEFT - 10);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
