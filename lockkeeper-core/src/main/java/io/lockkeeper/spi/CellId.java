package io.lockkeeper.spi;

/**
 * Which cell.
 *
 * @param kind what it is for
 * @param name the name that the user chose
 */
public record CellId(CellKind kind, String name) {

  /** The same in each process, so that what is kept by it has one order and simulations repeat. */
  @Override
  public int hashCode() {
    return 31 * kind.name().hashCode() + name.hashCode();
  }
}
