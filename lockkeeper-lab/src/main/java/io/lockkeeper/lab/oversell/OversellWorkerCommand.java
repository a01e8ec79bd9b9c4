package io.lockkeeper.lab.oversell;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.oversell.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;

/**
 * What the coordinator starts its workers with; not for people. The process ends with its standard
 * input, whatever it is doing, so that it never outlives the coordinator.
 */
@Command(name = OversellWorkerCommand.NAME, hidden = true)
public final class OversellWorkerCommand implements Callable<Integer> {

  /** The command's name. */
  public static final String NAME = "oversell-worker";

  @Override
  public Integer call() {
    PrintStream answers = System.out;
    System.setOut(System.err); // what a library prints must not get among the answers
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread reader = new Thread(() -> readUntilTheEnd(lines), "coordinator");
    reader.setDaemon(true);
    reader.start();
    return new Worker(lines, answers).run();
  }

  private static void readUntilTheEnd(BlockingQueue<String> lines) {
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
