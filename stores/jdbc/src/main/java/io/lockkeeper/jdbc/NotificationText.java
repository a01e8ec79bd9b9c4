package io.lockkeeper.jdbc;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.StoredId;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Notifications as text, for a channel of the client that they are for: a letter for what it is,
 * its parts with bars between them, and the name last, because a name may have bars in it.
 */
final class NotificationText {

  private static final String BAR = "\\|";
  private static final int GRANT_PARTS = 10;

  private NotificationText() {}

  static String write(Notification notification) {
    if (notification instanceof Notification.Granted granted) {
      return "G|" + write(granted.grant()) + "|" + text(granted.resource());
    } else if (notification instanceof Notification.Contended contended) {
      return "W|" + text(contended.resource());
    } else if (notification instanceof Notification.Revoked revoked) {
      return "R|" + text(revoked.resource());
    } else if (notification instanceof Notification.Changed changed) {
      return "C|" + changed.cell().kind().suffix() + "|" + changed.cell().name();
    }
    throw new IllegalArgumentException("unknown notification: " + notification);
  }

  private static String write(Grant grant) {
    String claims = grant.claims().stream().map(String::valueOf).collect(Collectors.joining(","));
    return grant.grant()
        + "|"
        + claims
        + "|"
        + grant.firstToken()
        + "|"
        + grant.lastToken()
        + "|"
        + grant.storeMicros()
        + "|"
        + grant.leaseMicros()
        + "|"
        + flag(grant.othersWait())
        + "|"
        + flag(grant.confirmed());
  }

  private static String text(ResourceId resource) {
    return StoredId.of(resource).text();
  }

  private static ResourceId id(String text) {
    return StoredId.parse(text).id();
  }

  private static int flag(boolean value) {
    return value ? 1 : 0;
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws RuntimeException if it is something else
   */
  static Notification read(String client, String text) {
    String rest = text.substring(2);
    return switch (text.substring(0, 2)) {
      case "G|" -> granted(client, text.split(BAR, GRANT_PARTS));
      case "W|" -> new Notification.Contended(client, id(rest));
      case "R|" -> new Notification.Revoked(client, id(rest));
      case "C|" -> {
        String[] parts = rest.split(BAR, 2);
        yield new Notification.Changed(client, new CellId(CellKind.of(parts[0]), parts[1]));
      }
      default -> throw new IllegalArgumentException("not a notification");
    };
  }

  private static Notification granted(String client, String[] parts) {
    List<Long> claims =
        Arrays.stream(parts[2].split(","))
            .filter(claim -> !claim.isEmpty())
            .map(Long::valueOf)
            .toList();
    Grant grant =
        new Grant(
            Long.parseLong(parts[1]),
            claims,
            Long.parseLong(parts[3]),
            Long.parseLong(parts[4]),
            Long.parseLong(parts[5]),
            Long.parseLong(parts[6]),
            parts[7].equals("1"),
            parts[8].equals("1"));
    return new Notification.Granted(client, id(parts[9]), grant);
  }
}
