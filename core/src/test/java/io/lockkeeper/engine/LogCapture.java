package io.lockkeeper.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;

/** What the library logs while this is open, kept from the console. */
public final class LogCapture implements AutoCloseable {

  private final Logger logger = Logger.getLogger("io.lockkeeper");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  public LogCapture() {
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  /** Returns what went wrong: not what a client says of its start, its store and its leases. */
  public List<String> messages() {
    return failed().map(LogRecord::getMessage).toList();
  }

  private Stream<LogRecord> failed() {
    return records.stream().filter(record -> logger.getName().equals(record.getLoggerName()));
  }

  /** Returns each with its level and its parameters. */
  public List<String> lines() {
    SimpleFormatter formatter = new SimpleFormatter();
    return records.stream()
        .map(record -> record.getLevel() + " " + formatter.formatMessage(record))
        .toList();
  }

  public List<Throwable> failures() {
    return failed().map(LogRecord::getThrown).toList();
  }

  @Override
  public void close() {
    logger.setUseParentHandlers(true);
    logger.removeHandler(handler);
  }
}
