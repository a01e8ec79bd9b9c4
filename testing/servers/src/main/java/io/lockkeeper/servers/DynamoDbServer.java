package io.lockkeeper.servers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Amazon's own DynamoDB for one machine, in a JVM of its own, with a table. It listens on all
 * interfaces, and takes any credentials.
 *
 * <p>Its jars are not on this JVM's class path: {@code lockkeeper-dynamodb-local}, which must be,
 * says where they are.
 */
public final class DynamoDbServer extends MemberServer {

  /** The table that is made at the start. */
  public static final String TABLE = "lockkeeper";

  /** Says why there may be none. */
  public static final String WHY_NONE =
      "DynamoDB's local server runs only on Linux, x86-64, with lockkeeper-dynamodb-local on the"
          + " class path";

  private static final String CLASS_PATH = "/io/lockkeeper/dynamodb/local/class-path";
  private static final String MAIN = "software.amazon.dynamodb.services.local.main.ServerRunner";
  private static final String NATIVE_LIBRARY = "libsqlite4java-linux-amd64";
  private static final String DESCRIPTION =
      "{\"TableName\":\"%s\",\"BillingMode\":\"PAY_PER_REQUEST\","
          + "\"AttributeDefinitions\":[{\"AttributeName\":\"k\",\"AttributeType\":\"S\"}],"
          + "\"KeySchema\":[{\"AttributeName\":\"k\",\"KeyType\":\"HASH\"}]}";

  private final boolean onDisk;
  private boolean isNew = true;

  private DynamoDbServer(boolean onDisk) {
    super("DynamoDB", ServerSite.here(), TempFolder.create("lockkeeper-dynamodb-"));
    this.onDisk = onDisk;
  }

  /** Returns whether it runs here. */
  public static boolean isAvailable() {
    return nativeLibrary().isPresent()
        && System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").equals("amd64");
  }

  /** Starts a server that forgets everything, its table too, when it ends. */
  public static DynamoDbServer start() {
    return start(false);
  }

  /** Starts a server whose data outlive a {@link #kill}. */
  public static DynamoDbServer startOnDisk() {
    return start(true);
  }

  private static DynamoDbServer start(boolean onDisk) {
    DynamoDbServer server = Ports.start(() -> new DynamoDbServer(onDisk));
    server.createTable(TABLE);
    server.isNew = false;
    return server;
  }

  /** Makes another table for records, or the first one anew. */
  public void createTable(String name) {
    call("CreateTable", DESCRIPTION.formatted(name));
  }

  /** Deletes a table with all that is in it. */
  public void deleteTable(String name) {
    call("DeleteTable", "{\"TableName\":\"" + name + "\"}");
  }

  @Override
  public String url() {
    return url(TABLE);
  }

  /** Returns the URL of a table. */
  public String url(String table) {
    return "dynamodb://local/" + table + "?endpoint=" + endpoint();
  }

  /** Returns where its clients find it. */
  public String endpoint() {
    return "http://" + connectString();
  }

  @Override
  public boolean isServing() {
    return isRunning() && tables().contains("TableNames");
  }

  /**
   * Returns whether who answers has no tables yet, as long as this server has none: DynamoDB says
   * nothing of itself by which it could be known later.
   */
  @Override
  boolean isItself() {
    return !isNew || tables().contains("[]");
  }

  private String tables() {
    try {
      return call("ListTables", "{}");
    } catch (IllegalStateException notYet) {
      return "";
    }
  }

  @Override
  public boolean isLeader() {
    return isServing();
  }

  /**
   * Sends a request of DynamoDB's protocol, such as {@code PutItem}, and returns the answer.
   *
   * @throws IllegalStateException if it answers an error or nothing
   */
  public String call(String operation, String json) {
    Map<String, String> headers =
        Map.of(
            "Content-Type", "application/x-amz-json-1.0",
            "X-Amz-Target", "DynamoDB_20120810." + operation,
            "Authorization",
                "AWS4-HMAC-SHA256 Credential=local/20250101/local/dynamodb/aws4_request,"
                    + " SignedHeaders=host, Signature=none");
    return LocalHttp.send(URI.create(endpoint() + "/"), headers, json, null);
  }

  @Override
  List<String> commandLine() {
    Path library =
        nativeLibrary().orElseThrow(() -> new ServerStartException(WHY_NONE, null)).getParent();
    List<String> command = JavaCommand.server();
    // The JDK's own property: there sqlite4java finds its native part.
    command.add("-Djava.library.path=" + library);
    command.addAll(List.of("-cp", classPath(), MAIN, "-sharedDb", "-port"));
    command.add(String.valueOf(port()));
    command.addAll(onDisk ? List.of("-dbPath", ".") : List.of("-inMemory"));
    return command;
  }

  private static Optional<Path> nativeLibrary() {
    return Stream.of(classPath().split(File.pathSeparator, -1))
        .filter(entry -> entry.contains(NATIVE_LIBRARY))
        .map(Path::of)
        .findFirst();
  }

  private static String classPath() {
    try (InputStream file = DynamoDbServer.class.getResourceAsStream(CLASS_PATH)) {
      return file == null ? "" : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
