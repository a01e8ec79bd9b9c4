package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The machine's nginx, sharing out requests in turn among servers of HTTP on this machine. */
public final class NginxServer extends ChildServer {

  private static final List<String> USUAL_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin");

  /** Two for each request under way, and those that are kept: enough for 1,000 users and more. */
  private static final int MOST_CONNECTIONS = 4_096;

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final String CONFIGURATION = "nginx.conf";
  private static final String PID_FILE = "nginx.pid";

  private final Path program;

  private NginxServer(Path program, List<Integer> backends, int port) {
    super(TempFolder.create("lockkeeper-nginx-"), port);
    this.program = program;
    try {
      Files.writeString(folder().resolve(CONFIGURATION), configuration(backends, port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether this machine has one. */
  public static boolean isInstalled() {
    return program().isPresent();
  }

  /**
   * Starts one on a free port of the loopback interface.
   *
   * @param backends the ports behind it
   * @throws ServerStartException if this machine has none, or it does not start
   */
  public static NginxServer start(List<Integer> backends) {
    return Ports.start(() -> make(backends, Ports.free()));
  }

  /** Makes one and does not start it. */
  static NginxServer make(List<Integer> backends, int port) {
    Path program =
        program().orElseThrow(() -> new ServerStartException("nginx is not installed", null));
    return new NginxServer(program, backends, port);
  }

  @Override
  ServerProcess startProcess() {
    return ServerProcess.start(
        List.of(program.toString(), "-p", folder().toString(), "-c", CONFIGURATION, "-e", "stderr"),
        folder());
  }

  @Override
  Duration startLimit() {
    return START_LIMIT;
  }

  @Override
  boolean isAnswering() {
    return takesConnections();
  }

  /** Returns whether it has written its process's number, which it does once it has its port. */
  @Override
  boolean isItself() {
    return !ownPidFile(folder().resolve(PID_FILE)).isEmpty();
  }

  @Override
  public String toString() {
    return "nginx on port " + port();
  }

  /** An order must never be sent twice, so a backend that fails is not followed by the next. */
  private static String configuration(List<Integer> backends, int port) {
    String servers =
        backends.stream()
            .map(backend -> "    server 127.0.0.1:" + backend + " max_fails=0;\n")
            .collect(Collectors.joining());
    String temporary =
        Stream.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            .map(kind -> "  " + kind + "_temp_path " + kind + ";\n")
            .collect(Collectors.joining());
    return "daemon off;\nmaster_process off;\npid "
        + PID_FILE
        + ";\nerror_log stderr warn;\n"
        + "events { worker_connections "
        + MOST_CONNECTIONS
        + "; }\nhttp {\n  access_log off;\n"
        + temporary
        + "  keepalive_requests 1000000;\n  upstream instances {\n"
        + servers
        + "    keepalive 128;\n  }\n  server {\n    listen 127.0.0.1:"
        + port
        + ";\n    location / {\n      proxy_pass http://instances;\n"
        + "      proxy_http_version 1.1;\n      proxy_set_header Connection \"\";\n"
        + "      proxy_next_upstream off;\n      proxy_read_timeout 600s;\n    }\n  }\n}\n";
  }

  private static Optional<Path> program() {
    String path = String.valueOf(System.getenv("PATH"));
    return Stream.concat(Stream.of(path.split(":", -1)), USUAL_FOLDERS.stream())
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, "nginx"))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
