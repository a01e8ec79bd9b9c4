package io.lockkeeper.lab.process;

import io.lockkeeper.cli.console.ExitStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * The coordinator, as a worker sees it. This process ends with what the coordinator says, whatever
 * it is doing, so that it never outlives the coordinator.
 */
public final class ParentProcess {

  private final PrintStream answers = System.out;

  private ParentProcess() {}

  /** Has each line of standard input heard, by a thread of its own. */
  public static ParentProcess listen(Consumer<String> onLine) {
    ParentProcess parent = new ParentProcess();
    System.setOut(System.err); // what a library prints must not get among the answers
    Thread reader = new Thread(() -> readUntilTheEnd(onLine), "coordinator");
    reader.setDaemon(true);
    reader.start();
    return parent;
  }

  private static void readUntilTheEnd(Consumer<String> onLine) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        onLine.accept(line);
      }
    } catch (IOException e) {
      // as good as the end
    }
    Runtime.getRuntime().halt(ExitStatus.CANNOT_RUN);
  }

  /** Says a line; for any thread. */
  public synchronized void say(String line) {
    answers.println(line);
    answers.flush();
  }
}
