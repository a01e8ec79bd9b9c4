package io.lockkeeper.spring.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is logged while this is open. */
final class LogRecords extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<String> messages = new CopyOnWriteArrayList<>();

  private LogRecords(Logger logger) {
    this.logger = logger;
    logger.addHandler(this);
  }

  static LogRecords of(String logger) {
    return new LogRecords(Logger.getLogger(logger));
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public void publish(LogRecord record) {
    messages.add(new SimpleFormatter().formatMessage(record));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
