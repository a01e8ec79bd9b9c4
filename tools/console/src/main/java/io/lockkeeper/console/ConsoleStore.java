package io.lockkeeper.console;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Finding;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * A store that a console shows, in one namespace.
 *
 * @param name for people, without any secret
 * @param keeper a client there, which the console does not close
 * @param doctor examines the store when somebody asks for it; empty if nobody can
 * @param namespaces opens other namespaces of the store; empty if only this one is shown
 */
public record ConsoleStore(
    String name,
    Lockkeeper keeper,
    Optional<Callable<List<Finding>>> doctor,
    Optional<Namespaces> namespaces) {

  /**
   * The namespaces of a store.
   *
   * @param own the one that is shown at first
   * @param open opens another one, at once and whether or not the store answers; throws {@link
   *     IllegalArgumentException} if it is not a valid namespace
   */
  public record Namespaces(String own, Function<String, ConsoleStore> open) {}

  /** Creates one that nobody can examine, and that is shown in one namespace. */
  public ConsoleStore(String name, Lockkeeper keeper) {
    this(name, keeper, Optional.empty(), Optional.empty());
  }

  /** Returns the same with what examines the store when somebody asks for it; one at a time. */
  public ConsoleStore withDoctor(Callable<List<Finding>> newDoctor) {
    return new ConsoleStore(name, keeper, Optional.of(newDoctor), namespaces);
  }

  /**
   * Returns the same with other namespaces, of which somebody who looks may choose. Each is opened
   * once, and the console does not close its client.
   */
  public ConsoleStore withNamespaces(Namespaces newNamespaces) {
    return new ConsoleStore(name, keeper, doctor, Optional.of(newNamespaces));
  }
}
