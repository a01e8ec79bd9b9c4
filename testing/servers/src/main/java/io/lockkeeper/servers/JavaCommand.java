package io.lockkeeper.servers;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the commands that start other JVMs with the Java of this one. */
public final class JavaCommand {

  private static final String COMPILER = "-XX:TieredStopAtLevel=";

  /**
   * For a small JVM whose work is to wait: optimizing what it runs would cost more than it saves.
   */
  public static final List<String> SMALL = List.of(COMPILER + 1, "-XX:+UseSerialGC", "-Xmx256m");

  private JavaCommand() {}

  /**
   * Returns the command for a small JVM.
   *
   * @param arguments begin with {@code -cp} or {@code -jar}
   */
  public static List<String> small(String... arguments) {
    List<String> command = of(SMALL);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the command for a small JVM with this one's class path, to change or to add to. */
  public static List<String> small(Class<?> program, String... arguments) {
    List<String> command = small("-cp", System.getProperty("java.class.path"), program.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /**
   * Begins the command for a JVM.
   *
   * @param options how it runs
   */
  public static List<String> of(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    return command;
  }

  /** Begins the command for a server. */
  static List<String> server() {
    List<String> command = of(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    command.addAll(compiler());
    return command;
  }

  /**
   * Returns the options for a JVM that does without the optimizing compiler if this one does: where
   * tests are short, that compiler would cost them more than it saves.
   */
  public static List<String> compiler() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith(COMPILER))
        .toList();
  }
}
