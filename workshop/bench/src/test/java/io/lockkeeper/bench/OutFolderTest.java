package io.lockkeeper.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class OutFolderTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "compare --quick --out docs",
        "compare --quick --out ./docs/new",
        "compare --rounds 4 --out docs",
        "compare --seconds 2 --out docs",
        "compare --warm-up 1 --out docs",
        "services --rounds 4 --out docs",
        "services --seconds 2 --out docs",
        "services --warm-up 4 --out docs",
        "growth --seconds 1 --out docs",
        "growth --most 100 --out docs"
      })
  void theDocumentsGetNoShortRuns(String command) {
    StringWriter errors = new StringWriter();

    int status = Bench.commandLine().setErr(new PrintWriter(errors)).execute(command.split(" "));

    assertThat(status).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(errors.toString()).contains("is refused, documents get full runs only.");
  }

  @Test
  void aFolderOfAnotherNameIsNotThatOfTheDocuments() {
    assertThat(OutFolder.isDocuments(Path.of("target", "docs-new"))).isFalse();
    assertThat(OutFolder.isDocuments(Path.of("target", "..", "docs"))).isTrue();
  }
}
