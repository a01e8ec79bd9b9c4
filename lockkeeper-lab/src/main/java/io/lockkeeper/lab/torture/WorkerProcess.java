package io.lockkeeper.lab.torture;

import io.lockkeeper.cli.console.CannotRunException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A worker in a JVM of its own. */
final class WorkerProcess implements Worker {

  private static final long END_SECONDS = 60;

  private final String name;
  private final Process process;
  private final AtomicLong acquisitions = new AtomicLong();
  private final Path log;

  private WorkerProcess(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  static WorkerProcess start(WorkerOrder order) {
    Path log = order.historyFolder().resolve(order.process() + ".log");
    try {
      Process process = new ProcessBuilder(command()).redirectError(log.toFile()).start();
      WorkerProcess worker = new WorkerProcess(order.process(), process, log);
      worker.say(order.write());
      Thread reader = new Thread(worker::read, "worker-" + order.process());
      reader.setDaemon(true);
      reader.start();
      return worker;
    } catch (IOException e) {
      throw new CannotRunException("cannot start a worker: " + e.getMessage(), e);
    }
  }

  private static List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(classArchive());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("io.lockkeeper.lab.Main", TortureWorkerCommand.NAME));
    return command;
  }

  /**
   * Workers are killed and started again all the time: what makes this JVM start fast is theirs.
   */
  private static List<String> classArchive() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.matches("-XX:SharedArchiveFile=.*|-Xshare:auto|-Xlog:.*"))
        .toList();
  }

  private void say(String line) {
    try {
      BufferedWriter out = process.outputWriter(StandardCharsets.UTF_8);
      out.write(line);
      out.newLine();
      out.flush();
    } catch (IOException e) {
      // it is gone, which is noticed anyway
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acquisitions.set(Long.parseLong(line));
      }
    } catch (IOException | NumberFormatException e) {
      // killed
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long acquisitions() {
    return acquisitions.get();
  }

  @Override
  public void kill() {
    process.destroyForcibly();
    try {
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void freeze() {
    signal("STOP");
  }

  @Override
  public void thaw() {
    signal("CONT");
  }

  private void signal(String signal) {
    try {
      new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new CannotRunException("cannot send signals here", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop() {
    say(WorkerOrder.STOP);
  }

  @Override
  public String awaitEnd() throws InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      return name + " did not end within " + END_SECONDS + " s, see " + log;
    }
    int status = process.exitValue();
    return status == 0 ? "" : name + " ended with status " + status + ", see " + log;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
