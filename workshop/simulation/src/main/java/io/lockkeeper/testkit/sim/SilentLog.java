package io.lockkeeper.testkit.sim;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Keeps clients from logging while the tests of a class run: the engine reports each failure, and
 * simulations make up many thousands.
 */
public final class SilentLog implements BeforeAllCallback, AfterAllCallback {

  /** Kept, so that the level that is set on it is not collected with it. */
  private static final Logger LOG = Logger.getLogger("io.lockkeeper");

  /** Creates it. */
  public SilentLog() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    LOG.setLevel(Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LOG.setLevel(null);
  }
}
