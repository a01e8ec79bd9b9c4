package io.lockkeeper.console;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Finding;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * A store that a console shows.
 *
 * @param name for people, without any secret
 * @param keeper a client there, which the console does not close
 * @param doctor examines the store when somebody asks for it; empty if nobody can
 */
public record ConsoleStore(
    String name, Lockkeeper keeper, Optional<Callable<List<Finding>>> doctor) {

  /** Creates one that nobody can examine. */
  public ConsoleStore(String name, Lockkeeper keeper) {
    this(name, keeper, Optional.empty());
  }

  /** Returns the same with what examines the store when somebody asks for it; one at a time. */
  public ConsoleStore withDoctor(Callable<List<Finding>> newDoctor) {
    return new ConsoleStore(name, keeper, Optional.of(newDoctor));
  }
}
