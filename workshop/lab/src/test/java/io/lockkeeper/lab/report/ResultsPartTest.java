package io.lockkeeper.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsPartTest {

  @TempDir Path folder;

  @Test
  void newResultsReplaceEarlierOnesAndNoOtherText() throws IOException {
    Path document = folder.resolve("document.md");

    ResultsPart.write(document, "Title", "old\n");
    String written = Files.readString(document);
    Files.writeString(document, "# Mine\n\nbefore\n" + written.substring(9) + "after\n");
    ResultsPart.write(document, "Title", "new\n");

    assertThat(written).startsWith("# Title\n\n<!--").contains("old");
    assertThat(document)
        .content()
        .startsWith("# Mine\n\nbefore\n<!--")
        .contains("\nnew\n")
        .endsWith("-->\nafter\n")
        .doesNotContain("old");
  }

  @Test
  void aSettingNamesRunsOnlyWhereTheyDiffer() {
    SettingList list = new SettingList();

    list.add("machine", List.of("one", "two"), it -> it, it -> "m");
    list.add(
        "load", List.of("one", "three", "two"), it -> it, it -> it.equals("two") ? "1.5" : "0.5");

    assertThat(list).hasToString("* machine: m\n* load: 0.5 (one, three); 1.5 (two)\n");
  }

  @Test
  void aSpreadHasUnitsWhereTheyDiffer() {
    assertThat(Numbers.spread(800, 700, 900)).isEqualTo("800 µs (700–900)");
    assertThat(Numbers.spread(800, 700, 1_200)).isEqualTo("800 µs (700 µs–1.20 ms)");
    assertThat(Numbers.spread(800, 800, 800)).isEqualTo("800 µs");
  }
}
