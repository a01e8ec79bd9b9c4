package io.lockkeeper.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class ReactorGuideTest {

  private static final class Stock {

    Mono<Integer> deduct(String sku, int count, long token) {
      return Mono.just(sku.length() - count).filter(left -> token > 0);
    }

    Flux<String> lines() {
      return Flux.just("1001;3", "1002;5");
    }
  }

  private static final class Shop {

    private final Lockkeeper keeper;
    private final Stock stock = new Stock();

    Shop(Lockkeeper keeper) {
      this.keeper = keeper;
    }

    Mono<Integer> sell(String sku) {
      return ReactorLock.of(keeper.lock("stock:" + sku))
          .with(AcquireOptions.wait(Duration.ofSeconds(5)))
          .using(lease -> stock.deduct(sku, 1, lease.token()));
    }

    Flux<String> export() {
      return ReactorLock.of(keeper.semaphore("exports", 3))
          .withCancelOnLoss()
          .usingMany(permit -> stock.lines());
    }
  }

  @Test
  void whatTheGuideShowsRuns() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:reactor-guide")) {
      Shop shop = new Shop(keeper);
      assertThat(shop.sell("1001").block()).isEqualTo(3);
      assertThat(shop.export().collectList().block()).hasSize(2);
    }
  }
}
