package io.lockkeeper.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleCommandTest {

  @TempDir private Path folder;

  @Test
  void storesFromTheCommandLineAndFromFilesAreOnOnePageWithoutTheirPasswords() throws Exception {
    Path secret =
        Files.writeString(folder.resolve("url"), "redis://:hunter2@127.0.0.1:1\nno URL here\n");
    StringWriter out = new StringWriter();
    Thread console =
        new Thread(
            () ->
                Main.commandLine()
                    .setOut(new PrintWriter(out, true))
                    .setErr(new PrintWriter(new StringWriter(), true))
                    .execute(
                        "console",
                        "--store",
                        "jdbc:sqlite:" + folder.resolve("one.db"),
                        "--store",
                        "jdbc:sqlite:" + folder.resolve("two.db"),
                        "--store-file",
                        secret.toString()));
    console.start();
    try {
      await().atMost(Duration.ofMinutes(1)).until(() -> out.toString().contains("/\n"));
      URI url = URI.create(out.toString().strip());
      String about =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(url.resolve("about")).build(), BodyHandlers.ofString())
              .body();

      assertThat(about)
          .contains("\"title\":\"3 stores\"", "one.db, namespace lockkeeper", "two.db")
          .contains("redis://***@127.0.0.1:1", "\"mayExamine\":true", "\"mayChoose\":true")
          .doesNotContain("hunter2");
    } finally {
      console.interrupt();
      console.join();
    }
  }
}
