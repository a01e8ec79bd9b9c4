package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The modules of the build and those of lockkeeper-bom. */
class BomTest {

  private static String pom(String module) throws IOException {
    return Files.readString(Repository.ROOT.resolve(module).resolve("pom.xml"));
  }

  private static List<String> all(String element, String pom) {
    return Pattern.compile("<" + element + ">([^<]+)</" + element + ">")
        .matcher(pom)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void theBomHasEachModuleThatIsPublished() throws IOException {
    List<String> published =
        all("module", pom("")).stream()
            .filter(module -> !module.equals("lockkeeper-bom"))
            .filter(
                module -> {
                  try {
                    return !pom(module).contains("<maven.deploy.skip>true");
                  } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                })
            .toList();
    String bom = pom("lockkeeper-bom");

    assertThat(all("artifactId", bom.substring(bom.indexOf("<dependencyManagement>"))))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  /** The BOM has no parent, from which it would inherit the version and what that manages. */
  @Test
  void theBomHasTheVersionOfItsModules() throws IOException {
    String bom = pom("lockkeeper-bom");

    assertThat(bom).doesNotContain("<parent>");
    assertThat(all("version", bom).get(0)).isEqualTo(all("version", pom("")).get(0));
  }
}
