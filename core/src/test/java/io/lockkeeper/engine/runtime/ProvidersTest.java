package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.support.StoreProviders;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProvidersTest {

  @ParameterizedTest
  @ValueSource(strings = {"scripted:x", "SCRIPTED:x", "scripted+tls://host:1"})
  void aUrlFindsItsStoreByTheSchemeInAnyCase(String url) {
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      assertThat(keeper.lock("a").tryLock()).isTrue();
    }
  }

  @Test
  void anUnknownSchemeListsTheKnownOnesWithAnExample() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("nosuch://user:secret@host"))
        .withMessage(
            "no store knows the URL scheme 'nosuch'; known schemes: scripted, scripted+tls;"
                + " for example scripted:anything; for redis, jdbc, zookeeper, etcd, dynamodb,"
                + " memory add the module of the store, such as lockkeeper-redis");
  }

  @Test
  void aSchemeWithATypingErrorIsToldTheRightOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("scirpted:a"))
        .withMessageStartingWith(
            "no store knows the URL scheme 'scirpted'; did you mean scripted? Known schemes:");
  }

  @Test
  void aUrlWithoutASchemeIsToldWhatAUrlIs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("localhost"))
        .withMessageStartingWith("a store URL begins with a scheme and a colon; known schemes:");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("localhost:6379"))
        .withMessageStartingWith("a store URL begins with a scheme and a colon; known schemes:");
  }

  @Test
  void theUrlOfValkeyIsThatOfRedis() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("valkeys-cluster://host"))
        .withMessage(
            "no store knows the URL scheme 'valkeys-cluster': the URL of Valkey begins as that of"
                + " Redis, rediss-cluster");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://h, lockkeeper-redis",
    "rediss-sentinel://h, lockkeeper-redis",
    "redis-cluster://h, lockkeeper-redis",
    "jdbc:postgresql://h/app, lockkeeper-jdbc",
    "zookeeper://h, lockkeeper-zookeeper",
    "etcds://h, lockkeeper-etcd",
    "dynamodb:eu-west-1, lockkeeper-dynamodb",
    "memory:a, lockkeeper-memory",
    "postgresql://h/app, lockkeeper-jdbc"
  })
  void aSchemeOfThisProjectNamesTheModuleToAdd(String url, String module) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect(url))
        .withMessageStartingWith("no store knows the URL scheme '")
        .withMessageContaining("the module io.lockkeeper:" + module);
  }

  /**
   * As in a thread of the common pool, in a redeployed application, or on an application server.
   */
  @Test
  void theContextClassLoaderMayBeAnotherOne() throws Exception {
    String classPath = System.getProperty("java.class.path");
    List<URL> urls = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(part).toUri().toURL());
    }
    try (URLClassLoader another =
            new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        URLClassLoader below = new URLClassLoader(new URL[0], getClass().getClassLoader())) {
      List<ClassLoader> contexts = new ArrayList<>();
      contexts.add(null);
      contexts.add(ClassLoader.getPlatformClassLoader());
      contexts.add(ClassLoader.getSystemClassLoader());
      contexts.add(another);
      contexts.add(below);
      for (ClassLoader context : contexts) {
        in(
            context,
            () -> {
              try (Lockkeeper keeper = Lockkeeper.connect("scripted:x")) {
                assertThat(keeper.lock("a").tryLock()).as("in %s", context).isTrue();
              }
              assertThat(StoreProviders.all().usable()).as("in %s", context).hasSize(1);
              return null;
            });
      }
    }
  }

  private static void in(ClassLoader context, Callable<?> action) throws Exception {
    Thread me = Thread.currentThread();
    ClassLoader before = me.getContextClassLoader();
    me.setContextClassLoader(context);
    try {
      action.call();
    } finally {
      me.setContextClassLoader(before);
    }
  }
}
