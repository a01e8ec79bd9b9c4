package io.lockkeeper.servers.net;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The program {@code ip}, with which Linux's networks are made. */
final class IpTool {

  private static final String PROGRAM = "ip";

  private IpTool() {}

  /**
   * Runs a command on this machine itself, and returns what it wrote.
   *
   * @param command words with a space between
   * @throws IllegalStateException if the program is missing or fails; the message has what it said
   */
  static String runHere(String command) {
    return run(List.of(command.split(" ", -1)), List.of());
  }

  /**
   * Runs commands in one namespace, in order, up to the first that fails.
   *
   * @throws IllegalStateException if the program is missing or one fails; the message has what it
   *     said
   */
  static void runIn(String namespace, List<String> commands) {
    run(List.of("-n", namespace, "-batch", "-"), commands);
  }

  private static String run(List<String> arguments, List<String> input) {
    List<String> command = new ArrayList<>();
    command.add(PROGRAM);
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(String.join("\n", input).getBytes(StandardCharsets.UTF_8));
      }
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(String.join(" ", command) + " says: " + output);
      }
      return output;
    } catch (IOException e) {
      throw new IllegalStateException("cannot run " + PROGRAM + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
