package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.DriverManager;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Drivers in a class loader that {@code DriverManager} has not looked through. */
class DriverLoadingTest {

  /** As a web application in a server that has run others before. */
  @Test
  void theDriverOfAnApplicationThatWasDeployedLaterIsFound() throws Exception {
    assertThat(DriverManager.drivers()).isNotEmpty(); // it does not look again
    connect(true);
  }

  /** As in a thread of a pool that belongs to the server. */
  @Test
  void theContextClassLoaderNeedNotBeTheApplications() throws Exception {
    connect(false);
  }

  private static void connect(boolean isContext) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader application =
        new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(isContext ? application : null);
      Class<?> provider = application.loadClass(JdbcStoreProvider.class.getName());
      Class<?> stores = application.loadClass("io.lockkeeper.spi.StoreFactory");
      Class<?> builders = application.loadClass("io.lockkeeper.LockkeeperBuilder");
      Object builder =
          application.loadClass("io.lockkeeper.Lockkeeper").getMethod("builder").invoke(null);
      Object factory =
          provider
              .getMethod("factory", String.class)
              .invoke(
                  provider.getConstructor().newInstance(),
                  Databases.sqlite("deployed" + isContext));
      AutoCloseable keeper =
          (AutoCloseable) builders.getMethod("connect", stores).invoke(builder, factory);
      keeper.close();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static URL[] classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(DriverLoadingTest::url)
        .toArray(URL[]::new);
  }

  private static URL url(String path) {
    try {
      return new File(path).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
