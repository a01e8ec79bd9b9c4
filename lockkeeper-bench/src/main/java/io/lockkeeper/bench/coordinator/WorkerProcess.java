package io.lockkeeper.bench.coordinator;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.worker.Command;
import io.lockkeeper.bench.worker.Reply;
import io.lockkeeper.bench.worker.WorkerMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A worker process as the coordinator sees it: commands in, replies out. */
final class WorkerProcess implements AutoCloseable {

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final String GONE = "";

  private final ObjectMapper json = new ObjectMapper();
  private final BlockingQueue<String> replies = new LinkedBlockingQueue<>();
  private final Process process;
  private final PrintWriter commands;

  private WorkerProcess(Process process) {
    this.process = process;
    commands =
        new PrintWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
    Thread reader = new Thread(this::readReplies, "replies-" + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  static WorkerProcess start(Library library, String url, List<String> jvmOptions, Path log)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.add("-cp");
    command.add(System.getProperty("java.class.path", "."));
    command.add(WorkerMain.class.getName());
    command.add(library.name());
    command.add(url);
    File logFile = log.toFile();
    return new WorkerProcess(
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(logFile))
            .start());
  }

  private void readReplies() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(WorkerMain.MARK)) {
          replies.add(line.substring(WorkerMain.MARK.length()));
        }
      }
    } catch (IOException closed) {
      // Told below.
    }
    replies.add(GONE);
  }

  long pid() {
    return process.pid();
  }

  void send(Command command) {
    try {
      commands.println(json.writerFor(Command.class).writeValueAsString(command));
    } catch (IOException e) {
      throw new IllegalArgumentException("not sendable: " + command, e);
    }
  }

  /** Waits for the reply to the last command, which must be a {@code kind}. */
  <T extends Reply> T await(Class<T> kind, Duration limit) throws WorkerFailedException {
    Reply reply = next(limit);
    if (reply instanceof Reply.Failed failed) {
      throw new WorkerFailedException(failed.problem());
    }
    return kind.cast(reply);
  }

  private Reply next(Duration limit) throws WorkerFailedException {
    try {
      String line = replies.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (line == null) {
        throw new WorkerFailedException("not done within " + limit.toSeconds() + " s");
      }
      if (line.equals(GONE)) {
        throw new WorkerFailedException("the worker process ended by itself");
      }
      return json.readValue(line, Reply.class);
    } catch (IOException e) {
      throw new WorkerFailedException("unreadable reply: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkerFailedException("interrupted");
    }
  }

  /** Ends the process: politely, and then by force. */
  @Override
  public void close() {
    commands.close();
    try {
      process.waitFor(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  /** Ends the process by force: for one that does not answer any more. */
  void kill() {
    process.destroyForcibly();
  }
}
