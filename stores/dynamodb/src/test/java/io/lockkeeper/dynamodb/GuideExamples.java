package io.lockkeeper.dynamodb;

import io.lockkeeper.Lockkeeper;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** The code that the store's page shows. */
final class GuideExamples {

  private GuideExamples() {}

  static Lockkeeper overAnOwnClient() {
    DynamoDbAsyncClient client =
        DynamoDbAsyncClient.builder()
            .overrideConfiguration(o -> o.retryStrategy(DefaultRetryStrategy.doNotRetry()))
            .build();
    Lockkeeper keeper = Lockkeeper.builder().connect(DynamoDbStores.from(client, "lockkeeper"));
    return keeper;
  }
}
