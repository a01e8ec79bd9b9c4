package io.lockkeeper.cli.store;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.support.StoreProviders;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which store, for all commands that work on one. */
public final class StoreOptions {

  private static final String VARIABLE = "LOCKKEEPER_URL";
  private static final String NAMESPACE_VARIABLE = "LOCKKEEPER_NAMESPACE";
  private static final String NAMESPACE = "lockkeeper";

  /** Says to people which namespace it is without the option. */
  static final String DEFAULT_NAMESPACE_TEXT =
      "Default: the variable " + NAMESPACE_VARIABLE + ", or else " + NAMESPACE + ".";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--store",
      paramLabel = "URL",
      description = {
        "The store, such as redis://localhost:6379.",
        "Default: what the variable LOCKKEEPER_URL says, or else the file ~/.lockkeeper/locks.db,"
            + " which all processes of this user on this machine share."
      })
  private @Nullable String store;

  @Option(
      names = "--store-file",
      paramLabel = "FILE",
      description =
          "A file with the store's URL in its first line, for a URL with a password: what stands on"
              + " a command line, every user of the machine can read.")
  private @Nullable Path storeFile;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      description = {
        "Separates applications on one store; that of a Spring Boot application is its"
            + " spring.application.name.",
        DEFAULT_NAMESPACE_TEXT
      })
  private @Nullable String namespace;

  /** Creates them. */
  public StoreOptions() {}

  /** Creates them as they would be if a command had got this. */
  StoreOptions(
      CommandSpec spec,
      @Nullable String store,
      @Nullable Path storeFile,
      @Nullable String namespace) {
    this.spec = spec;
    this.store = store;
    this.storeFile = storeFile;
    this.namespace = namespace;
  }

  /** Returns the same store in another namespace. */
  public StoreOptions in(String otherNamespace) {
    return new StoreOptions(spec, store, storeFile, otherNamespace);
  }

  /** Returns the namespace that the command works in. */
  public String namespace() {
    if (namespace != null) {
      return namespace;
    }
    String variable = System.getenv(NAMESPACE_VARIABLE);
    return variable == null || variable.isBlank() ? NAMESPACE : variable.strip();
  }

  /** Returns the store's URL, with its secrets. */
  public String url() {
    if (store != null && storeFile != null) {
      throw new ParameterException(
          spec.commandLine(), "--store and --store-file both say which store: give only one");
    } else if (store != null) {
      return store;
    } else if (storeFile != null) {
      return firstLine(storeFile);
    }
    String variable = variable();
    return variable.isEmpty()
        ? HomeStore.url(System.getenv("HOME"), System.getProperty("user.home"))
        : variable;
  }

  private static String variable() {
    String variable = System.getenv(VARIABLE);
    return variable == null ? "" : variable.strip();
  }

  /** Returns the store's URL without its secrets, and why it is this one if nobody said so. */
  public String describe() {
    boolean isGiven = store != null || storeFile != null || !variable().isEmpty();
    String note = isGiven ? "" : " (the default: there is neither --store nor " + VARIABLE + ")";
    return Secrets.hide(url()) + note;
  }

  private static String firstLine(Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      if (line != null && !line.isBlank()) {
        return line.strip();
      }
    } catch (IOException e) {
      throw new CannotRunException("cannot read the store's URL from " + file + ": " + e, e);
    }
    throw new CannotRunException("there is no URL in the first line of " + file);
  }

  /**
   * Returns the variables of this process that are to be others for a program that it starts. That
   * program is not meant to have the password of the store. The variable stays, because without it
   * a {@code lockkeeper} inside would silently lock the file in the user's home.
   */
  public static Map<String, String> variablesForOthers(Map<String, String> own) {
    String url = own.get(VARIABLE);
    return url == null ? Map.of() : Map.of(VARIABLE, Secrets.hide(url));
  }

  /** Returns who knows the store's kind; empty if nobody does. */
  public Optional<StoreProvider> provider() {
    return StoreProviders.find(url());
  }

  /** Returns the context for a client of this name that only visits. */
  public StoreContext context(String client) {
    String id = UUID.randomUUID().toString().replace("-", "");
    return new StoreContext(
        new ClientInfo(id, client, null, ProcessHandle.current().pid()),
        namespace(),
        Timings.DEFAULT,
        new Environment(System::nanoTime, NoScheduler::new, new SecureRandom()));
  }

  /** A visitor only asks: nothing is due later. */
  private static final class NoScheduler implements Scheduler {

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      return () -> {};
    }

    @Override
    public void close() {}
  }

  /**
   * Connects to the namespace that the command works in.
   *
   * @throws ParameterException if the URL or the namespace is malformed
   */
  public Lockkeeper connect(LockkeeperBuilder builder) {
    return connect(builder, namespace());
  }

  /**
   * Connects to a namespace.
   *
   * @throws ParameterException if the URL or the namespace is malformed
   */
  public Lockkeeper connect(LockkeeperBuilder builder, String namespace) {
    String url = url();
    // What Netty would end up with, as nobody listens to SLF4J here, after a search for others.
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    try {
      return builder.namespace(namespace).connect(url);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }
}
