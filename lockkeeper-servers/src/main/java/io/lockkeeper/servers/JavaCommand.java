package io.lockkeeper.servers;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes the commands that start servers written in Java. */
final class JavaServer {

  private static final String COMPILER = "-XX:TieredStopAtLevel=";

  private JavaServer() {}

  /**
   * Begins a command. The server does without the optimizing compiler if this JVM does: where tests
   * are short, that compiler would cost them more than it saves.
   */
  static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith(COMPILER))
        .forEach(command::add);
    return command;
  }
}
