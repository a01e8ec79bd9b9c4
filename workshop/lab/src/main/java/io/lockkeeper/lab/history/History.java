package io.lockkeeper.lab.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What happened in a run, in the order of time.
 *
 * @param events in that order; those of one thread also in the order in which it wrote them
 */
public record History(List<Event> events) {

  private static final String SUFFIX = ".history";

  /** Creates one of events that are in order. */
  public History {
    events = List.copyOf(events);
  }

  public static History of(Collection<Event> events) {
    List<Event> sorted = new ArrayList<>(events);
    sorted.sort(Event.BY_TIME);
    return new History(sorted);
  }

  public static Path file(Path folder, String process) {
    return folder.resolve(process + SUFFIX);
  }

  /**
   * Reads all files of a folder. What a killed process had half written is left out.
   *
   * @throws UncheckedIOException if that is not possible
   * @throws IllegalArgumentException if a line is not an event
   */
  public static History read(Path folder) {
    List<Event> events = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(it -> it.toString().endsWith(SUFFIX)).sorted().toList()) {
        addAll(events, Files.readString(file, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return of(events);
  }

  private static void addAll(List<Event> events, String text) {
    int start = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      events.add(Event.read(text.substring(start, end)));
      start = end + 1;
    }
  }

  /** Returns the ids of all resources, sorted. */
  public List<String> resources() {
    return events.stream()
        .map(Event::resource)
        .filter(id -> !id.isEmpty())
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the events that pass, in order. */
  public List<Event> where(Predicate<Event> filter) {
    return events.stream().filter(filter).toList();
  }
}
