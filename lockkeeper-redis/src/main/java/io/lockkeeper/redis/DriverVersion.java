package io.lockkeeper.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.CommandListenerWriter;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandExpiryWriter;
import io.lettuce.core.protocol.CommandType;

/** What differs between the versions of the driver: 6.6 to 6.8, and 7. */
final class DriverVersion {

  private static final boolean IS_SEVEN = isThere("io.lettuce.core.MaintNotificationsConfig");

  private DriverVersion() {}

  private static boolean isThere(String className) {
    try {
      Class.forName(className, false, DriverVersion.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Has a driver ask the server for nothing but what it is told to, and never send a request again.
   * Version 6 would send what was under way on the next connection, even where it rejects requests
   * while there is none.
   */
  static void keepQuiet(ClientOptions.Builder options) {
    options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).replayFilter(any -> true);
    if (IS_SEVEN) {
      Seven.disableMaintenanceNotifications(options);
    }
  }

  /** Returns whether a driver with these options never sends a request again. */
  static boolean neverSendsAgain(ClientOptions options) {
    boolean reconnects = options.isAutoReconnect();
    boolean rejects =
        switch (options.getDisconnectedBehavior()) {
          case REJECT_COMMANDS -> true;
          case ACCEPT_COMMANDS -> false;
          case DEFAULT -> !reconnects;
        };
    return rejects && (IS_SEVEN || !reconnects || drops(options, CommandType.EVALSHA));
  }

  private static boolean drops(ClientOptions options, CommandType type) {
    return options
        .getReplayFilter()
        .test(new Command<>(type, new StatusOutput<>(ByteArrayCodec.INSTANCE)));
  }

  /** Returns what writes to the socket. */
  static RedisChannelWriter innermost(RedisChannelWriter writer) {
    if (writer instanceof CommandExpiryWriter wrapper) {
      return innermost(wrapper.getDelegate());
    }
    if (writer instanceof CommandListenerWriter wrapper) {
      return innermost(wrapper.getDelegate());
    }
    return writer;
  }

  /** What only version 7 has. A class of its own, so that version 6 never loads it. */
  private static final class Seven {

    static void disableMaintenanceNotifications(ClientOptions.Builder options) {
      options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }
  }
}
