package io.lockkeeper.engine.view;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names permits for other processes: the client that acquired them and the number of the grant. */
record PermitId(String clientId, long grant) {

  private static final Pattern FORM = Pattern.compile("([0-9a-z]{1,13})\\.([0-9]{1,18})");

  static PermitId parse(String id) {
    Matcher matcher = FORM.matcher(Objects.requireNonNull(id, "id"));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not the id of a permit, which is a client's id, a dot and a number: '" + id + "'");
    }
    return new PermitId(matcher.group(1), Long.parseLong(matcher.group(2)));
  }

  @Override
  public String toString() {
    return clientId + "." + grant;
  }
}
