package io.lockkeeper.quarkus.test;

import io.lockkeeper.quarkus.Locked;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The example of the guide. */
@Singleton
public class GuideExamples {

  private final Stock stock = new Stock();

  @Locked(value = "stock:{sku}", waitTime = "2s")
  public void deduct(String sku, int count) {
    stock.deduct(sku, count);
  }

  private static final class Stock {

    private final Map<String, Integer> left = new ConcurrentHashMap<>();

    void deduct(String sku, int count) {
      left.merge(sku, -count, Integer::sum);
    }
  }
}
