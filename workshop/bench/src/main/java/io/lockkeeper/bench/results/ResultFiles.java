package io.lockkeeper.bench.results;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Results as JSON files. */
public final class ResultFiles {

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private ResultFiles() {}

  /** Writes {@code results} to {@code file}, creating its folder. */
  public static void write(Results results, Path file) throws IOException {
    writeAny(results, file);
  }

  /** Writes what a run of services has found, creating the folder. */
  public static void write(ServicesResults results, Path file) throws IOException {
    writeAny(results, file);
  }

  private static void writeAny(Object results, Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    JSON.writeValue(file.toFile(), results);
  }

  /** Reads the results of a comparison. */
  public static Results read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), Results.class);
  }

  /** Reads what a run of services has found. */
  public static ServicesResults readServices(Path file) throws IOException {
    return JSON.readValue(file.toFile(), ServicesResults.class);
  }
}
