package io.lockkeeper.lab.process;

import io.lockkeeper.cli.console.ExitStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The coordinator, as a worker sees it. This process ends with what the coordinator says, whatever
 * it is doing, so that it never outlives the coordinator.
 *
 * @param lines what it says
 * @param answers where the answers go; what else is printed goes to standard error
 */
public record ParentProcess(BlockingQueue<String> lines, PrintStream answers) {

  /** Listens from now on, to standard input. */
  public static ParentProcess listen() {
    ParentProcess parent = new ParentProcess(new LinkedBlockingQueue<>(), System.out);
    System.setOut(System.err); // what a library prints must not get among the answers
    Thread reader = new Thread(parent::readUntilTheEnd, "coordinator");
    reader.setDaemon(true);
    reader.start();
    return parent;
  }

  private void readUntilTheEnd() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // as good as the end
    }
    Runtime.getRuntime().halt(ExitStatus.CANNOT_RUN);
  }
}
