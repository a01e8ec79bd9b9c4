package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotificationTextTest {

  private static final String CLIENT = "c1";

  private static Stream<Notification> notifications() {
    ResourceId odd = new ResourceId(ResourceKind.SEMAPHORE, "a|b|\u00e4 'x'");
    return Stream.of(
        new Notification.Granted(
            CLIENT, ResourceId.lock("r"), new Grant(7, List.of(7L), 1, 1, 0, 5, false, true)),
        new Notification.Granted(
            CLIENT, odd, new Grant(7, List.of(7L, 9L), 1, 2048, 1L << 60, 5, true, false)),
        new Notification.Granted(CLIENT, odd, new Grant(7, List.of(), 1, 2048, 3, 5, true, false)),
        new Notification.Contended(CLIENT, odd),
        new Notification.Revoked(CLIENT, odd),
        new Notification.Changed(CLIENT, new CellId(CellKind.NOTES, "a|b|")));
  }

  @ParameterizedTest
  @MethodSource("notifications")
  void whatIsWrittenIsRead(Notification notification) {
    assertThat(NotificationText.read(CLIENT, NotificationText.write(notification)))
        .isEqualTo(notification);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "X|r", "G|1|r", "C|what|r"})
  void whatIsNoNotificationIsRefused(String text) {
    assertThatThrownBy(() -> NotificationText.read(CLIENT, text))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void theLongestNotificationFitsIntoANotification() {
    List<Long> claims = Stream.generate(() -> Long.MAX_VALUE).limit(32).toList();
    Grant grant =
        new Grant(
            Long.MAX_VALUE, claims, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 1, true, true);

    String text =
        NotificationText.write(
            new Notification.Granted(CLIENT, ResourceId.lock("\u00e4".repeat(256)), grant));

    assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(8_000);
  }
}
