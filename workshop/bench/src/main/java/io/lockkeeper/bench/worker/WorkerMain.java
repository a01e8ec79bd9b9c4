package io.lockkeeper.bench.worker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.bench.locks.Library;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The main class of a worker process: reads commands as lines of JSON from its input and writes
 * replies, each behind a mark, to its output. It ends with its input, and at the latest with the
 * coordinator.
 */
public final class WorkerMain {

  /** Stands before each reply, so that other output does not pass for one. */
  public static final String MARK = "@reply ";

  private WorkerMain() {}

  /** Runs a worker; the arguments are the library and the URL of Redis. */
  public static void main(String[] args) throws Exception {
    PrintStream replies = System.out;
    System.setOut(System.err);
    endWithParent();
    Worker worker = new Worker(Library.valueOf(args[0]), args[1]);
    serve(worker, replies);
    worker.close();
    System.exit(0);
  }

  /** Ends this process when the coordinator is gone, even if threads are stuck in a lock. */
  private static void endWithParent() {
    ProcessHandle.current().parent().ifPresent(WorkerMain::endWith);
  }

  private static void endWith(ProcessHandle parent) {
    var unused = parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
  }

  private static void serve(Worker worker, PrintStream replies) throws IOException {
    ObjectMapper json = new ObjectMapper();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      Reply reply = execute(worker, json.readValue(line, Command.class));
      replies.println(MARK + json.writerFor(Reply.class).writeValueAsString(reply));
      replies.flush();
    }
  }

  private static Reply execute(Worker worker, Command command) {
    try {
      return command.executeIn(worker);
    } catch (Exception | LinkageError e) {
      // The worker's standard error is the log that the coordinator names when something failed.
      e.printStackTrace(System.err);
      return new Reply.Failed(e.toString().lines().findFirst().orElse(""));
    }
  }
}
