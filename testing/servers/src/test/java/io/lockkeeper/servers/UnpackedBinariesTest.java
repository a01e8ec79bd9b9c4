package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

class UnpackedBinariesTest {

  @TempDir private Path folder;

  @Test
  void unpacksOnceAlsoWhenAskedByManyAtOnce() throws Exception {
    Path archive = archive();
    Path cache = folder.resolve("cache");
    List<CompletableFuture<Path>> unpacking =
        Stream.generate(() -> CompletableFuture.supplyAsync(() -> unpacked(cache, archive)))
            .limit(4)
            .toList();
    assertThat(unpacking.stream().map(CompletableFuture::join).distinct())
        .containsExactly(cache.resolve("tool-1"));
    assertThat(cache.resolve("tool-1/bin/tool")).hasContent("content").isExecutable();
    assertThat(cache).isDirectoryNotContaining(it -> !it.endsWith("tool-1"));
  }

  @Test
  void unpacksAgainWhatHasBeenThinnedOut() throws Exception {
    Path archive = archive();
    Path cache = folder.resolve("cache");
    Path tool = unpacked(cache, archive).resolve("bin/tool");
    Files.delete(tool);
    unpacked(cache, archive);
    assertThat(tool).hasContent("content");
    assertThat(cache).isDirectoryNotContaining(it -> !it.endsWith("tool-1"));
  }

  @Test
  void refusesAFolderThatOthersMayWriteTo() throws Exception {
    Path archive = archive();
    Path cache = Files.createDirectory(folder.resolve("cache"));
    Files.setPosixFilePermissions(cache, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThatThrownBy(
            () ->
                UnpackedBinaries.of(
                    cache, "tool-1", UnpackedBinaries.archive(archive.toUri().toURL())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not safe");
  }

  private static Path unpacked(Path cache, Path archive) {
    try {
      return UnpackedBinaries.of(
          cache, "tool-1", UnpackedBinaries.archive(archive.toUri().toURL()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path archive() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("content/bin"));
    Path tool = Files.writeString(bin.resolve("tool"), "content");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
    Process tar =
        new ProcessBuilder("tar", "-c", "-C", folder.resolve("content").toString(), "bin").start();
    Path archive = folder.resolve("archive.txz");
    try (OutputStream out =
        new XZOutputStream(Files.newOutputStream(archive), new LZMA2Options())) {
      tar.getInputStream().transferTo(out);
    }
    assertThat(tar.waitFor()).isZero();
    return archive;
  }
}
