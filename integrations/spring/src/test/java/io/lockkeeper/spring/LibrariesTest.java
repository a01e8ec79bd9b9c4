package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class LibrariesTest {

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  static class Base {

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect("memory:libraries-test");
    }

    @Bean
    Stock stock() {
      return new Stock();
    }
  }

  static class Stock {

    @Locked(name = "stock")
    public int deduct() {
      return 1;
    }
  }

  /** An application that has none of the libraries. */
  public static final class Application implements Callable<Integer> {

    @Override
    public Integer call() {
      assertThat(Libraries.REACTOR || Libraries.TRANSACTIONS || Libraries.FENCES).isFalse();
      try (var context = new AnnotationConfigApplicationContext(Base.class)) {
        return context.getBean(Stock.class).deduct();
      }
    }
  }

  @Test
  void whatIsOptionalMayBeMissing() throws Exception {
    assertThat(Libraries.REACTOR && Libraries.TRANSACTIONS && Libraries.FENCES).isTrue();
    Pattern optional =
        Pattern.compile(
            "(reactor-core|reactive-streams|spring-tx|spring-jdbc"
                + "|lockkeeper-jdbc|stores/jdbc)[-/]");
    URL[] others =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(path -> !optional.matcher(path).find())
            .map(LibrariesTest::url)
            .toArray(URL[]::new);
    ClassLoader mine = Thread.currentThread().getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(others, ClassLoader.getPlatformClassLoader())) {
      Thread.currentThread().setContextClassLoader(loader);
      Object application =
          loader.loadClass(Application.class.getName()).getDeclaredConstructor().newInstance();
      assertThat(((Callable<?>) application).call()).isEqualTo(1);
    } finally {
      Thread.currentThread().setContextClassLoader(mine);
    }
  }

  private static URL url(String path) {
    try {
      return Path.of(path).toUri().toURL();
    } catch (java.net.MalformedURLException e) {
      throw new IllegalArgumentException(path, e);
    }
  }
}
