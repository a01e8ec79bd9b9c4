package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ClientInfo;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StoreOpeningTest {

  private static final StoreContext CONTEXT =
      new StoreContext(
          new ClientInfo("1", "test", "host", 1L),
          "test",
          Timings.DEFAULT,
          SystemEnvironment.create());

  @TempDir private Path folder;

  @Test
  void anErrorOfTheClassPathIsARefusal() {
    StoreFactory factory =
        StoreFactory.at(
            "redis://host",
            context -> {
              throw new NoClassDefFoundError("io/netty/channel/epoll/EpollIoHandler");
            });

    assertThatThrownBy(() -> StoreOpening.open(factory, CONTEXT))
        .isInstanceOf(StoreRefusedException.class)
        .hasMessageContainingAll("redis://host", "class path", "EpollIoHandler")
        .hasCauseInstanceOf(NoClassDefFoundError.class);
  }

  @Test
  void aServerThatDoesNotAnswerIsNotTakenForOne() {
    StoreFactory factory =
        context -> {
          throw new StoreUnavailableException("no answer", null);
        };

    assertThatThrownBy(() -> StoreOpening.open(factory, CONTEXT))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("no answer");
  }

  @Test
  void aMixtureOfVersionsIsNamed() throws IOException {
    try (URLClassLoader mixed =
        loader(
            jar("netty-common", "4.2.16.Final"),
            jar("netty-codec", "4.1.130.Final"),
            jar("netty-handler", "4.2.7.Final"))) {
      assertThat(StoreOpening.mixture(mixed))
          .startsWith(
              "the class path mixes Netty 4.1.130.Final (netty-codec) and 4.2.16.Final"
                  + " (netty-common);");
    }
    try (URLClassLoader alike =
        loader(jar("netty-common", "4.2.16.Final"), jar("netty-handler", "4.2.7.Final"))) {
      assertThat(StoreOpening.mixture(alike)).isEmpty();
    }
  }

  private static URLClassLoader loader(URL... urls) {
    return new URLClassLoader(urls, null);
  }

  private URL jar(String name, String version) throws IOException {
    Path file =
        Files.createTempDirectory(folder, name).resolve("META-INF/io.netty.versions.properties");
    Files.createDirectories(file.getParent());
    Files.writeString(file, name + ".version=" + version + "\n" + name + ".repoStatus=clean\n");
    return file.getParent().getParent().toUri().toURL();
  }
}
