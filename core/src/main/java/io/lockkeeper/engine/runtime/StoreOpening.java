package io.lockkeeper.engine.runtime;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Opens a store. A driver that finds libraries of other versions than it was built with fails with
 * an error, or on a thread of its own and then looks like a server that hangs up; both become a
 * refusal that says what is wrong.
 */
final class StoreOpening {

  /** Each jar of Netty has this file, with its own version in it. */
  private static final String NETTY_VERSIONS = "META-INF/io.netty.versions.properties";

  private static final String VERSION = ".version";

  private StoreOpening() {}

  /** Opens a store, or throws what the API promises. */
  static Store open(StoreFactory factory, StoreContext context) {
    try {
      return factory.open(context);
    } catch (LinkageError failure) {
      throw refusal(factory, failure, mixture(factory.getClass().getClassLoader()));
    } catch (StoreUnavailableException failure) {
      String mixture = mixture(factory.getClass().getClassLoader());
      throw mixture.isEmpty() ? failure : refusal(factory, failure, mixture);
    }
  }

  private static StoreRefusedException refusal(
      StoreFactory factory, Throwable failure, String mixture) {
    return new StoreRefusedException(
        StoreProblem.OTHER,
        "cannot use "
            + factory.describe()
            + ": "
            + (mixture.isEmpty()
                ? "a library on the class path has another version than its driver needs"
                : mixture)
            + " ("
            + failure
            + ")",
        failure);
  }

  /** Returns what to say of a mixture of Netty's versions; nothing if there is none. */
  static String mixture(ClassLoader loader) {
    Map<String, String> lines = new TreeMap<>();
    try {
      for (URL url : Collections.list(loader.getResources(NETTY_VERSIONS))) {
        Properties versions = new Properties();
        try (InputStream in = url.openStream()) {
          versions.load(in);
        }
        for (String key : versions.stringPropertyNames()) {
          if (key.endsWith(VERSION)) {
            String version = versions.getProperty(key);
            String jar = key.substring(0, key.length() - VERSION.length());
            lines.putIfAbsent(line(version), version + " (" + jar + ")");
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines.size() < 2
        ? ""
        : lines.values().stream()
            .collect(
                Collectors.joining(
                    " and ",
                    "the class path mixes Netty ",
                    "; let the build manage one version, such as by importing io.netty:netty-bom"));
  }

  /** Returns "4.1" of "4.1.130.Final": what has the same line works together. */
  private static String line(String version) {
    String[] parts = version.split("\\.", 3);
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }
}
