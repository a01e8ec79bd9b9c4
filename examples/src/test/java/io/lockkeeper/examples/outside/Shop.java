package io.lockkeeper.examples.outside;

import io.lockkeeper.servers.JavaCommand;
import io.lockkeeper.servers.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** An instance of the stock service in a process of its own. */
final class Shop implements AutoCloseable {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Each of them ignores the properties of the others. */
  enum Framework {
    SPRING_BOOT("/actuator/health"),
    MICRONAUT("/health"),
    QUARKUS("/q/health");

    private final String health;

    Framework(String health) {
      this.health = health;
    }

    /** Returns that of a jar, by its name. */
    static Framework of(Path jar) {
      String name = jar.getFileName().toString();
      if (name.startsWith("quarkus")) {
        return QUARKUS;
      }
      return name.contains("micronaut") ? MICRONAUT : SPRING_BOOT;
    }
  }

  private final Path jar;
  private final int port;
  private final Path output;
  private final Process process;

  private Shop(Path jar, int port, Path output, Process process) {
    this.jar = jar;
    this.port = port;
    this.output = output;
    this.process = process;
  }

  /** Starts an instance, without waiting until it serves. */
  static Shop start(Path jar, Path folder, String... properties) throws IOException {
    int port = Ports.free();
    Path output = Files.createTempFile(folder, "output", ".txt");
    List<String> command =
        JavaCommand.small(
            "-Dserver.address=127.0.0.1",
            "-Dserver.port=" + port,
            "-Dmicronaut.server.host=127.0.0.1",
            "-Dmicronaut.server.port=" + port,
            "-Dquarkus.http.host=127.0.0.1",
            "-Dquarkus.http.port=" + port,
            "-Dshop.folder=" + folder.resolve("shelves"));
    for (String property : properties) {
      command.add("-D" + property);
    }
    command.addAll(List.of("-jar", jar.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Shop(jar, port, output, process);
  }

  CompletableFuture<HttpResponse<String>> send(String method, String path) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build();
    return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Returns what a page says, or nothing if it cannot be had. */
  String get(String path) {
    return send("GET", path)
        .handle((response, failure) -> failure == null ? response.body() : "")
        .join();
  }

  String health() {
    return get(framework().health);
  }

  Framework framework() {
    return Framework.of(jar);
  }

  HttpResponse<String> post(String path) {
    return send("POST", path).join();
  }

  Process process() {
    return process;
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return jar + ": " + output();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
