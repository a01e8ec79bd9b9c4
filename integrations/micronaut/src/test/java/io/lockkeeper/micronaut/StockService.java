package io.lockkeeper.micronaut;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.OnFailure;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Methods with locks. */
@Singleton
class StockService {

  final Lockkeeper keeper;

  StockService(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  @Locked("stock:{sku}")
  void deduct(String sku, Runnable body) {
    body.run();
  }

  @Locked(value = "stock:{sku}", waitTime = "0", onFailure = OnFailure.SKIP)
  Optional<String> tryDeduct(String sku) {
    return Optional.of(sku);
  }

  @Locked(value = "stock:{sku}", waitTime = "${stock.wait:0}")
  void deductNow(String sku) {}

  @Locked
  String byDefault(Supplier<String> body) {
    return body.get();
  }

  @Locked("stage")
  CompletableFuture<String> later(CompletableFuture<String> result) {
    return result;
  }

  @Locked(value = "fails")
  void fails() throws IOException {
    throw new IOException("as it is");
  }
}
