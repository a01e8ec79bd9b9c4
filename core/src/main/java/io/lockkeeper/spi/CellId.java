package io.lockkeeper.spi;

/**
 * The identity of a cell.
 *
 * @param kind its kind
 * @param name the name that the user chose
 */
public record CellId(CellKind kind, String name) implements Named {

  /**
   * Returns the same number in every process, so that hash tables have the same order and
   * simulations can be repeated.
   */
  @Override
  public int hashCode() {
    return 31 * kind.name().hashCode() + name.hashCode();
  }
}
