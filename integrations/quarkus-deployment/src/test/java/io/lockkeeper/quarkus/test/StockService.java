package io.lockkeeper.quarkus.test;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.OnFailure;
import io.lockkeeper.quarkus.Locked;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Methods with locks. */
@Singleton
public class StockService {

  @Inject Lockkeeper keeper;

  @Locked("stock:{sku}")
  void deduct(String sku, Runnable body) {
    body.run();
  }

  @Locked(value = "stock:{sku}", waitTime = "0", onFailure = OnFailure.SKIP)
  Optional<String> tryDeduct(String sku) {
    return Optional.of(sku);
  }

  @Locked(value = "stock:{sku}", waitTime = "0")
  void deductNow(String sku) {}

  @Locked
  String byDefault(Supplier<String> body) {
    return body.get();
  }

  @Locked("stage")
  CompletableFuture<String> later(CompletableFuture<String> result) {
    return result;
  }

  @Locked("fails")
  void fails() throws IOException {
    throw new IOException("as it is");
  }
}
