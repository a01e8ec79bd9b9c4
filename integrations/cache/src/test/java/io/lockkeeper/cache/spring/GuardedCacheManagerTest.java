package io.lockkeeper.cache.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.CacheGuardOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.support.SimpleCacheManager;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Two applications that share a cache and a store of locks. */
class GuardedCacheManagerTest {

  private final CacheManager shared = new ConcurrentMapCacheManager();
  private final AtomicInteger loads = new AtomicInteger();

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Application {

    @Bean
    Products products(AtomicInteger loads) {
      return new Products(loads);
    }
  }

  static class Products {

    private final AtomicInteger loads;

    Products(AtomicInteger loads) {
      this.loads = loads;
    }

    @Cacheable(cacheNames = "products", sync = true)
    public @Nullable String find(long id) {
      int load = loads.incrementAndGet();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      return id < 0 ? null : "product " + id + " " + load;
    }

    @Cacheable(cacheNames = "products", sync = true)
    public String findInVain(String id) {
      throw new IllegalStateException("no database");
    }

    @CacheEvict(cacheNames = "products")
    public void change(long id) {}
  }

  private AnnotationConfigApplicationContext application(Lockkeeper keeper) {
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    context.registerBean(AtomicInteger.class, () -> loads);
    context.registerBean(
        CacheManager.class,
        () -> new GuardedCacheManager(shared, keeper, CacheGuardOptions.defaults()));
    context.register(Application.class);
    context.refresh();
    return context;
  }

  private static Lockkeeper keeper() {
    return Lockkeeper.connect("memory:guarded-caches");
  }

  @Test
  void twoApplicationsRunAMethodOncePerKey() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Lockkeeper first = keeper();
        Lockkeeper second = keeper();
        AnnotationConfigApplicationContext here = application(first);
        AnnotationConfigApplicationContext there = application(second)) {
      List<Future<@Nullable String>> all = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Products products = (i % 2 == 0 ? here : there).getBean(Products.class);
        all.add(threads.submit(() -> products.find(7)));
      }
      for (Future<@Nullable String> each : all) {
        assertThat(each.get(30, TimeUnit.SECONDS)).isEqualTo("product 7 1");
      }

      there.getBean(Products.class).change(7);
      assertThat(here.getBean(Products.class).find(7)).isEqualTo("product 7 2");
      assertThat(here.getBean(Products.class).find(-1)).isNull();
      assertThat(there.getBean(Products.class).find(-1)).isNull();
      assertThat(loads).hasValue(3);
    } finally {
      threads.shutdownNow();
    }
  }

  /** What Spring lets a cache do later, this one never does. */
  private static final class LateCache extends ConcurrentMapCache {

    LateCache() {
      super("late");
    }

    @Override
    public void put(Object key, @Nullable Object value) {}

    @Override
    public void evict(Object key) {}
  }

  @Test
  void theNextHolderSeesWhatACacheWritesLate() {
    SimpleCacheManager late = new SimpleCacheManager();
    late.setCaches(List.of(new LateCache()));
    late.initializeCaches();
    try (Lockkeeper keeper = keeper()) {
      Cache cache =
          new GuardedCacheManager(late, keeper, CacheGuardOptions.defaults()).getCache("late");
      assertThat(cache).isNotNull();

      assertThat(cache.get("key", () -> "one")).isEqualTo("one");
      assertThat(cache.get("key", () -> "two")).isEqualTo("one");
      cache.evict("key");
      assertThat(cache.get("key", () -> "two")).isEqualTo("two");
    }
  }

  @Test
  void whatAMethodThrowsIsThrown() {
    try (Lockkeeper keeper = keeper();
        AnnotationConfigApplicationContext here = application(keeper)) {
      assertThatThrownBy(() -> here.getBean(Products.class).findInVain("7"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("no database");
    }
  }

  @Test
  void allElseIsAsTheCacheItselfDoesIt() {
    try (Lockkeeper keeper = keeper()) {
      CacheManager guarded =
          new GuardedCacheManager(
              new ConcurrentMapCacheManager("a"), keeper, CacheGuardOptions.defaults());
      assertThat(guarded.getCacheNames()).containsExactly("a");
      assertThat(guarded.getCache("b")).isNull();
      Cache cache = guarded.getCache("a");
      assertThat(cache).isNotNull().isSameAs(guarded.getCache("a"));

      cache.put("key", "value");
      assertThat(cache.get("key", String.class)).isEqualTo("value");
      assertThat(cache.putIfAbsent("key", "other")).isNotNull();
      assertThat(cache.evictIfPresent("key")).isTrue();
      cache.put("key", "value");
      cache.clear();
      assertThat(cache.get("key")).isNull();
      assertThatThrownBy(() -> cache.retrieve("key", () -> null))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("sync = true");
    }
  }
}
