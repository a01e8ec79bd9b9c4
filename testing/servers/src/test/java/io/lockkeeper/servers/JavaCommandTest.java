package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class JavaCommandTest {

  private static final String COMPILER = "-XX:TieredStopAtLevel=1";

  @Test
  void aServerHasTheCompilersOfTheJvmThatStartsIt() {
    List<String> mine = ManagementFactory.getRuntimeMXBean().getInputArguments();

    assertThat(JavaCommand.server().contains(COMPILER)).isEqualTo(mine.contains(COMPILER));
  }

  @Test
  void aSmallJvmRunsAClassOfThisClassPath() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(JavaCommand.small(Ending.class, "7")).start();

    assertThat(process.waitFor()).isEqualTo(7);
  }

  /** Ends with the exit code that it is given. */
  static final class Ending {
    public static void main(String[] arguments) {
      System.exit(Integer.parseInt(arguments[0]));
    }
  }
}
