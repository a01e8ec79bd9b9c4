package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.util.Random;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class MemoryStoreProviderTest {

  @Test
  void itIsFoundByItsScheme() {
    assertThat(ServiceLoader.load(StoreProvider.class))
        .anySatisfy(provider -> assertThat(provider.schemes()).containsExactly("memory"));
  }

  @Test
  void oneNameIsOneServer() {
    try (Store a = open("memory:one", "a");
        Store b = open("memory:one", "b");
        Store c = open("memory:two", "c")) {
      assertThat(ask(a)).isInstanceOf(ClaimAnswer.Granted.class);
      assertThat(ask(b)).isInstanceOf(Queued.class);
      assertThat(ask(c)).isInstanceOf(ClaimAnswer.Granted.class);
    }
  }

  @Test
  void aUrlWithoutANameIsRefused() {
    MemoryStoreProvider provider = new MemoryStoreProvider();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> provider.factory("memory:"))
        .withMessageContaining("memory:NAME");
  }

  private static Object ask(Store store) {
    return Fixture.get(store.claim(Fixture.claim(1)));
  }

  private static Store open(String url, String clientId) {
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    Store store =
        new MemoryStoreProvider()
            .factory(url)
            .open(new StoreContext(clientId, clientId, "ns", Timings.DEFAULT, environment));
    store.listen(NotificationListener.silent());
    return store;
  }
}
