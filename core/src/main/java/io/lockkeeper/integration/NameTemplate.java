package io.lockkeeper.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock with parameters of a method in it, such as {@code stock:{sku}}. Nothing in it
 * is code, and an argument is only ever a part of a name.
 */
final class NameTemplate {

  private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");

  /** The texts around the parameters, one more than there are of these. */
  private final List<String> texts = new ArrayList<>();

  private final List<Integer> positions = new ArrayList<>();
  private final String template;

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if a brace belongs to no parameter
   */
  NameTemplate(String template, List<String> parameters) {
    this.template = template;
    Matcher place = PLACE.matcher(template);
    int end = 0;
    while (place.find()) {
      texts.add(text(end, place.start()));
      int position = parameters.indexOf(place.group(1));
      if (position < 0) {
        throw new IllegalArgumentException(
            "has the name '%s', but no parameter %s (%s); are the classes compiled with -parameters?"
                .formatted(template, place.group(1), String.join(", ", parameters)));
      }
      positions.add(position);
      end = place.end();
    }
    texts.add(text(end, template.length()));
  }

  private String text(int begin, int end) {
    String text = template.substring(begin, end);
    if (text.contains("{") || text.contains("}")) {
      throw new IllegalArgumentException(
          "has the name '" + template + "', whose braces do not enclose a parameter");
    }
    return text;
  }

  /**
   * Returns the name for a call.
   *
   * @throws IllegalArgumentException if an argument is null, or has no text of its own: two that
   *     are equal would be two locks
   */
  String name(@Nullable Object[] arguments) {
    if (positions.isEmpty()) {
      return template;
    }
    StringBuilder name = new StringBuilder(texts.get(0));
    for (int i = 0; i < positions.size(); i++) {
      Object argument = arguments[positions.get(i)];
      if (argument == null) {
        throw new IllegalArgumentException(
            "an argument of the lock's name '" + template + "' is null");
      }
      String text = argument.toString();
      if (text.equals(
          argument.getClass().getName() + "@" + Integer.toHexString(argument.hashCode()))) {
        throw new IllegalArgumentException(
            "an argument of the lock's name '"
                + template
                + "' is of a class without a toString() of its own, "
                + argument.getClass().getName());
      }
      name.append(text).append(texts.get(i + 1));
    }
    return name.toString();
  }
}
