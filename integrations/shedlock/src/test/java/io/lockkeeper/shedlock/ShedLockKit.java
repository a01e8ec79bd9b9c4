package io.lockkeeper.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;

/** ShedLock's own kit for providers, on one store. */
abstract class ShedLockKit extends AbstractExtensibleLockProviderIntegrationTest {

  private final Lockkeeper keeper = Lockkeeper.connect(url());
  private final LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper);

  abstract String url();

  @AfterEach
  void close() {
    keeper.close();
  }

  @Override
  protected ExtensibleLockProvider getLockProvider() {
    return provider;
  }

  @Override
  protected void assertUnlocked(String lockName) {
    assertThat(keeper.lock(lockName).isLocked()).isFalse();
  }

  @Override
  protected void assertLocked(String lockName) {
    assertThat(keeper.lock(lockName).isLocked()).isTrue();
  }
}
