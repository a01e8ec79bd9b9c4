package io.lockkeeper.bench;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lockkeeper.bench.ContestPlan.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All that one run has found. What earlier versions measured and this one does not is left out when
 * it is read.
 */
record Results(
    Setting setting,
    @JsonAlias("rows") List<ContestResult> contests,
    @Nullable List<HandOverResult> handOvers,
    @Nullable List<IdleResult> idle) {

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /** Copies. */
  Results {
    contests = contests.stream().filter(it -> it.kind() != null).toList();
    handOvers = copy(handOvers).stream().filter(it -> it.contender() != null).toList();
    idle = copy(idle);
  }

  private static <T> List<T> copy(@Nullable List<T> found) {
    return found == null ? List.of() : List.copyOf(found);
  }

  @Override
  public List<HandOverResult> handOvers() {
    return Objects.requireNonNull(handOvers);
  }

  @Override
  public List<IdleResult> idle() {
    return Objects.requireNonNull(idle);
  }

  static Results read(Path file) throws IOException {
    return JSON.readValue(file.toFile(), Results.class);
  }

  void write(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
    JSON.writeValue(file.toFile(), this);
  }

  /** Returns the contests of this kind and work, by growing number of threads. */
  List<ContestResult> contests(Kind kind, Work work) {
    return contests.stream()
        .filter(contest -> contest.kind() == kind)
        .filter(contest -> contest.work() == work || kind.isService())
        .sorted(Comparator.comparingInt(ContestResult::threads))
        .toList();
  }
}
