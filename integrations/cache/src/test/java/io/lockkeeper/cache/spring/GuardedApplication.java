package io.lockkeeper.cache.spring;

import io.lettuce.core.RedisURI;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cache.CacheGuardOptions;
import io.lockkeeper.testkit.process.TalkingProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A process with a Spring application whose caches are Spring Data's on Redis. It says {@code
 * ready}; after each word it reads one product in many threads and says {@code got} and what they
 * got; {@code evicting} has it change the product before the second time.
 */
final class GuardedApplication {

  private static final int THREADS = 40;

  private GuardedApplication() {}

  static TalkingProcess start(String url, boolean evicting) throws IOException {
    return TalkingProcess.start(
        GuardedApplication.class, Map.of(), url, Boolean.toString(evicting));
  }

  /** What is slow; its calls are counted at the server. */
  static class Products {

    private final StringRedisTemplate redis;

    Products(StringRedisTemplate redis) {
      this.redis = redis;
    }

    @Cacheable(cacheNames = "products", sync = true)
    public String find(long id) {
      Long load = redis.opsForValue().increment("loads");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
      return "product " + id + " " + load;
    }

    @CacheEvict(cacheNames = "products")
    public void change(long id) {}
  }

  @Configuration(proxyBeanMethods = false)
  @EnableCaching
  static class Application {

    @Bean
    CacheManager cacheManager(RedisConnectionFactory redis, Lockkeeper keeper) {
      return new GuardedCacheManager(
          RedisCacheManager.create(redis), keeper, CacheGuardOptions.defaults());
    }

    @Bean
    Products products(RedisConnectionFactory redis) {
      return new Products(new StringRedisTemplate(redis));
    }
  }

  public static void main(String[] arguments) throws Exception {
    RedisURI uri = RedisURI.create(arguments[0]);
    try (Lockkeeper keeper = Lockkeeper.connect(arguments[0] + "?afterLoss=grant");
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean(Lockkeeper.class, () -> keeper);
      context.registerBean(
          LettuceConnectionFactory.class,
          () -> new LettuceConnectionFactory(uri.getHost(), uri.getPort()));
      context.register(Application.class);
      context.refresh();
      Products products = context.getBean(Products.class);
      TalkingProcess.say("ready");
      TalkingProcess.awaitWord();
      TalkingProcess.say("got " + readInAllThreads(products));
      TalkingProcess.awaitWord();
      if (Boolean.parseBoolean(arguments[1])) {
        products.change(7);
      }
      TalkingProcess.say("changed");
      TalkingProcess.awaitWord();
      TalkingProcess.say("got " + readInAllThreads(products));
    }
  }

  private static Set<String> readInAllThreads(Products products) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<String>> all = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        all.add(threads.submit(() -> products.find(7)));
      }
      Set<String> got = new TreeSet<>();
      for (Future<String> each : all) {
        got.add(each.get());
      }
      return got;
    } finally {
      threads.shutdownNow();
    }
  }
}
