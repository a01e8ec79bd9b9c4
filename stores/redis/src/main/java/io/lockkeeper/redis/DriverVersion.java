package io.lockkeeper.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.CommandListenerWriter;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.CommandExpiryWriter;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;

/** The differences between the versions of the driver: 6.6 to 6.8, and 7. */
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

  /** Keeps a driver from asking the server for anything that it is not told to. */
  static void keepQuiet(ClientOptions.Builder options) {
    if (IS_SEVEN) {
      Seven.disableMaintenanceNotifications(options);
    }
  }

  /**
   * Makes a driver that rejects requests while there is no connection fail those that are under way
   * when one is lost. Version 6.6 would send them again on the next one. (Its replay filter does
   * not prevent that, and what it filters is never answered.)
   */
  static void sendNothingAgain(ChannelPipeline pipeline) {
    if (!IS_SEVEN) {
      pipeline.addFirst(new FailWhatIsUnderWay());
    }
  }

  /**
   * Returns whether a driver with these options, made by somebody else, never sends a request
   * again. For a version 6 that reconnects the answer is no: 6.6 does.
   */
  static boolean neverSendsAgain(ClientOptions options) {
    boolean reconnects = options.isAutoReconnect();
    boolean rejects =
        switch (options.getDisconnectedBehavior()) {
          case REJECT_COMMANDS -> true;
          case ACCEPT_COMMANDS -> false;
          case DEFAULT -> !reconnects;
        };
    return rejects && (IS_SEVEN || !reconnects);
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

  /** Comes before the driver's own handler, which would keep what is under way. */
  private static final class FailWhatIsUnderWay extends ChannelInboundHandlerAdapter {

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
      CommandHandler driver = context.pipeline().get(CommandHandler.class);
      if (driver != null) {
        for (RedisCommand<?, ?, ?> command : driver.drainQueue()) {
          command.completeExceptionally(new RedisException("the connection was lost"));
        }
      }
      super.channelInactive(context);
    }
  }

  /** The part that only version 7 has. A class of its own, so that version 6 never loads it. */
  private static final class Seven {

    static void disableMaintenanceNotifications(ClientOptions.Builder options) {
      options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }
  }
}
