package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Set;

/**
 * Knows the URLs of tables in Amazon DynamoDB.
 *
 * <pre>
 *   dynamodb://region/table[?name=value&amp;...]
 * </pre>
 *
 * <p>Credentials come from where the AWS SDK looks for them by default, never from the URL.
 * Parameters: {@code endpoint}, instead of that of the region; {@code timeout} of a request (3s),
 * {@code connectTimeout} (10s).
 */
public final class DynamoDbStoreProvider implements StoreProvider {

  /** Creates it. */
  public DynamoDbStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("dynamodb");
  }

  @Override
  public String example() {
    return DynamoDbUrl.EXAMPLE;
  }

  @Override
  public StoreFactory factory(String url) {
    return DynamoDbStores.of(DynamoDbUrl.parse(url));
  }
}
