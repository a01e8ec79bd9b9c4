package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Library;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The crews of a run. Each library keeps its processes from the first turn to the last, so that all
 * contests find it warm; they are idle while others have their turn. A crew that failed is ended
 * and replaced by a new one when its library is next wanted.
 */
final class Crews implements AutoCloseable {

  private final Map<Library, Crew> crews = new EnumMap<>(Library.class);
  private final String url;
  private final int processes;
  private final List<String> jvmOptions;
  private final Path log;

  Crews(String url, int processes, List<String> jvmOptions, Path log) {
    this.url = url;
    this.processes = processes;
    this.jvmOptions = jvmOptions;
    this.log = log;
  }

  /** Returns the crew of {@code library}, started if there is none. */
  Crew of(Library library) throws WorkerFailedException {
    Crew crew = crews.get(library);
    if (crew == null) {
      crew = fresh(library);
      crews.put(library, crew);
    }
    return crew;
  }

  /** Starts one more crew, for measurements that need processes without a past. */
  Crew fresh(Library library) throws WorkerFailedException {
    int size = library == Library.JDK ? 1 : processes;
    return Crew.start(library, size, url, jvmOptions, log);
  }

  /** Ends the crew of {@code library}, because one of its workers failed. */
  void discard(Library library) {
    Crew crew = crews.remove(library);
    if (crew != null) {
      crew.kill();
    }
  }

  @Override
  public void close() {
    crews.values().forEach(Crew::close);
    crews.clear();
  }
}
