package io.lockkeeper.lab.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was written down can be read again, and times of processes can be compared. */
class HistoryTest {

  @TempDir private Path folder = Path.of("");

  private static Event event(long nanos, String actor) {
    return Event.of(nanos, actor, EventKind.GOT, "lock/a b", 3).withLease(7, 99).with(-1, "note");
  }

  @Test
  void theFilesOfSeveralProcessesAreMergedByTime() {
    try (FileRecorder one = new FileRecorder(History.file(folder, "p1"));
        FileRecorder two = new FileRecorder(History.file(folder, "p2"))) {
      one.record(event(5, "p1#0"));
      two.record(event(3, "p2#0"));
      two.record(event(9, "p2#0"));
    }

    assertThat(History.read(folder).events())
        .containsExactly(event(3, "p2#0"), event(5, "p1#0"), event(9, "p2#0"));
  }

  @Test
  void whatAKilledProcessHadHalfWrittenIsLeftOut() throws IOException {
    Path file = History.file(folder, "p1");
    try (FileRecorder recorder = new FileRecorder(file)) {
      recorder.record(event(5, "p1#0"));
    }
    Files.writeString(file, "17\tp1#0\tGO", StandardCharsets.UTF_8, StandardOpenOption.APPEND);

    assertThat(History.read(folder).events()).containsExactly(event(5, "p1#0"));
  }

  @Test
  void aForeignLineIsRefused() {
    assertThatThrownBy(() -> Event.read("hello"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hello");
  }

  @Test
  void aNoteCannotBreakTheFormat() {
    Event event = event(1, "p1#0").with(0, "two\nlines\tand a tab");

    assertThat(Event.read(event.line()).note()).isEqualTo("two lines and a tab");
  }

  @Test
  void theClockHasOneOriginForAllProcesses() throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    long before = System.nanoTime();
    Process child =
        new ProcessBuilder(
                java, "-cp", System.getProperty("java.class.path"), NanoTime.class.getName())
            .redirectErrorStream(false)
            .start();
    String told = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    long after = System.nanoTime();

    assertThat(Long.parseLong(told.strip())).isBetween(before, after);
  }

  /** Says what time it is, in a process of its own. */
  static final class NanoTime {

    private NanoTime() {}

    public static void main(String[] args) {
      System.out.println(System.nanoTime());
    }
  }
}
