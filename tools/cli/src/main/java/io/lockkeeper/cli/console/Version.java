package io.lockkeeper.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** This program's version, written by the build. */
public final class Version implements IVersionProvider {

  private static final String FILE = "version.properties";

  /** Returns the version, such as {@code 0.1.0}. */
  public static String current() {
    try (InputStream in = Version.class.getResourceAsStream(FILE)) {
      Properties properties = new Properties();
      if (in != null) {
        properties.load(in);
      }
      return properties.getProperty("version", "unknown");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String[] getVersion() {
    return new String[] {"lockkeeper " + current()};
  }
}
