package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.support.StoreUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings in a URL of a table. As in {@link StoreUrl}, no message made here quotes what may be
 * a secret.
 *
 * @param region the AWS region of the table
 * @param table its name
 * @param endpoint where requests go; null for the region's own
 * @param timeout of a request
 * @param connectTimeout of the first request
 */
record DynamoDbUrl(
    String region,
    String table,
    @Nullable URI endpoint,
    Duration timeout,
    Duration connectTimeout) {

  static final String EXAMPLE = "dynamodb://eu-central-1/lockkeeper";
  static final Duration TIMEOUT = Duration.ofSeconds(3);
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final String LOOKS_LIKE =
      "a DynamoDB URL looks like " + EXAMPLE + "?timeout=3s: the AWS region, then the table";
  private static final Set<String> PARAMETERS = Set.of("endpoint", "timeout", "connectTimeout");

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static DynamoDbUrl parse(String url) {
    StoreUrl parts = StoreUrl.read(url, LOOKS_LIKE);
    if (!parts.scheme().equalsIgnoreCase("dynamodb") || !parts.fragment().isEmpty()) {
      throw new IllegalArgumentException(LOOKS_LIKE);
    }
    if (!parts.login().isEmpty()) {
      throw new IllegalArgumentException(
          "credentials do not stand in a DynamoDB URL: the AWS SDK finds them in the environment,"
              + " in ~/.aws or from the machine's role");
    }
    Map<String, String> query = parts.parameters(PARAMETERS);
    StoreUrl.Host region = parts.hosts(0, 0).get(0);
    if (parts.isList() || region.port() != 0 || !region.name().matches("[a-z0-9-]+")) {
      throw new IllegalArgumentException(LOOKS_LIKE);
    }
    return new DynamoDbUrl(
        region.name(),
        table(parts.path().replaceFirst("^/", "")),
        endpoint(query.get("endpoint")),
        StoreUrl.duration("timeout", query.get("timeout"), TIMEOUT),
        StoreUrl.duration("connectTimeout", query.get("connectTimeout"), CONNECT_TIMEOUT));
  }

  static String table(String name) {
    if (!name.matches("[A-Za-z0-9_.-]{3,255}")) {
      throw new IllegalArgumentException(
          "the table must be named, in 3 to 255 letters, digits and _ . -, as in " + EXAMPLE);
    }
    return name;
  }

  private static @Nullable URI endpoint(@Nullable String text) {
    if (text == null) {
      return null;
    }
    if (!text.matches("https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?")) {
      throw new IllegalArgumentException(
          "endpoint must be like http://localhost:8000, a scheme, a host and a port");
    }
    return URI.create(text);
  }

  /** Returns it without what is not about the place. */
  @Override
  public String toString() {
    return "dynamodb://" + region + "/" + table + (endpoint == null ? "" : " at " + endpoint);
  }
}
