package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.StoreFactory;
import java.util.Optional;

/** The store of a test that has not begun. */
final class NoStore implements TckStore {

  @Override
  public StoreFactory factory() {
    throw new IllegalStateException("the test has not begun");
  }

  @Override
  public String url() {
    throw new IllegalStateException("the test has not begun");
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.empty();
  }

  @Override
  public boolean loseEverything() {
    return false;
  }

  @Override
  public String residue(String namespace) {
    return "";
  }

  @Override
  public void close() {}
}
