package io.lockkeeper.servers;

import java.nio.file.Path;

/**
 * A program of a database server that runs on this machine.
 *
 * @param product whose it is, such as {@code PostgreSQL}
 * @param program the server
 * @param version such as {@code 18.6}
 * @param origin where it came from
 */
public record SqlBinary(String product, Path program, String version, Origin origin) {

  /** Where a binary came from. */
  public enum Origin {
    /** From the {@code PATH}, or from where packages of the system put it. */
    MACHINE,
    /** From the class path, unpacked into a temporary folder. */
    EMBEDDED,
    /** Named by the caller. */
    EXPLICIT
  }

  /** Returns another program from the same folder. */
  Path sibling(String name) {
    return program.resolveSibling(name);
  }

  @Override
  public String toString() {
    return product + " " + version;
  }
}
