package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.lab.process.ChildProcess;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.servers.JavaCommand;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A worker process as the coordinator sees it: commands in, replies out. */
final class WorkerProcess implements AutoCloseable {

  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();
  private final ChildProcess process;

  private WorkerProcess(ChildProcess process) {
    this.process = process;
    process.listen(
        "replies-" + process.pid(),
        line -> replies.add(Messages.read(line, Reply.class)),
        failure -> replies.add(new Reply.Failed("the worker process ended by itself")));
  }

  static WorkerProcess start(Library library, String url, Path log) {
    List<String> options = new ArrayList<>(List.of(Setting.JVM_OPTIONS.split(" ")));
    options.addAll(JavaCommand.compiler());
    return new WorkerProcess(
        ChildProcess.start(
            ChildProcess.java(options, Worker.class.getName(), library.name(), url),
            Redirect.appendTo(log.toFile())));
  }

  void send(Command command) {
    process.say(Messages.write(command, Command.class));
  }

  /** Waits for the reply to the last command, which must be a {@code kind}. */
  <T extends Reply> T await(Class<T> kind, Duration limit) throws WorkerFailedException {
    try {
      Reply reply = replies.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (reply == null) {
        throw new WorkerFailedException("not done within " + limit.toSeconds() + " s");
      }
      if (reply instanceof Reply.Failed failed) {
        throw new WorkerFailedException(failed.problem());
      }
      return kind.cast(reply);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new WorkerFailedException("interrupted");
    }
  }

  @Override
  public void close() {
    process.close();
  }

  /** A worker failed, or does not answer. */
  static final class WorkerFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Creates one.
     *
     * @param problem what went wrong, in one line
     */
    WorkerFailedException(String problem) {
      super(problem);
    }

    String problem() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * The worker processes of a run, some for each library. Each library keeps its processes from the
   * first turn to the last, so that all contests find it warm; they are idle while others have
   * their turn. A crew that failed is ended and replaced by a new one when its library is next
   * wanted.
   */
  static final class Crews implements AutoCloseable {

    private final Map<Library, List<WorkerProcess>> crews = new EnumMap<>(Library.class);
    private final String url;
    private final int processes;
    private final Path log;

    Crews(String url, int processes, Path log) {
      this.url = url;
      this.processes = processes;
      this.log = log;
    }

    /** Returns the crew of {@code library}, started if there is none. */
    List<WorkerProcess> of(Library library) {
      return crews.computeIfAbsent(library, this::fresh);
    }

    /** Starts one more crew, for measurements that need processes without a past. */
    List<WorkerProcess> fresh(Library library) {
      int size = library == Library.JDK ? 1 : processes;
      return Stream.generate(() -> WorkerProcess.start(library, url, log)).limit(size).toList();
    }

    /** Ends the crew of {@code library}, because one of its workers failed. */
    void discard(Library library) {
      List<WorkerProcess> crew = crews.remove(library);
      if (crew != null) {
        crew.forEach(WorkerProcess::close);
      }
    }

    @Override
    public void close() {
      crews.values().forEach(crew -> crew.forEach(WorkerProcess::close));
      crews.clear();
    }
  }
}
