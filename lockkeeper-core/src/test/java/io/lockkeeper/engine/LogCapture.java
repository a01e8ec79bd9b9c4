package io.lockkeeper.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

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

  public List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  public List<Throwable> failures() {
    return records.stream().map(LogRecord::getThrown).toList();
  }

  @Override
  public void close() {
    logger.setUseParentHandlers(true);
    logger.removeHandler(handler);
  }
}
