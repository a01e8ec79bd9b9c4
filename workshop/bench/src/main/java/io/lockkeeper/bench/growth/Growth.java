package io.lockkeeper.bench.growth;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** All that is known of growth: the last series of each thing that grows. */
record Growth(List<Series> series) {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  Growth {
    series = List.copyOf(series);
  }

  /** Returns where the results are in the folder of the page. */
  static Path file(Path folder) {
    return folder.resolve("scale").resolve("results.json");
  }

  /** Reads what earlier runs have left in the folder of the page; empty if there is none. */
  static Growth read(Path folder) throws IOException {
    Path file = file(folder);
    return Files.exists(file) ? JSON.readValue(file.toFile(), Growth.class) : new Growth(List.of());
  }

  void write(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("scale"));
    JSON.writeValue(file(folder).toFile(), this);
  }

  /** Returns this with a series in the place of an earlier one. */
  Growth with(Series newer) {
    return new Growth(
        Stream.concat(
                series.stream().filter(earlier -> earlier.what() != newer.what()), Stream.of(newer))
            .sorted((one, other) -> one.what().compareTo(other.what()))
            .toList());
  }
}
