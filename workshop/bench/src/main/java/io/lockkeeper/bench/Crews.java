package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Library;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The worker processes of a run, some for each library. Each library keeps its processes from the
 * first turn to the last, so that all contests find it warm; they are idle while others have their
 * turn. A crew that failed is ended and replaced by a new one when its library is next wanted.
 */
final class Crews implements AutoCloseable {

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
