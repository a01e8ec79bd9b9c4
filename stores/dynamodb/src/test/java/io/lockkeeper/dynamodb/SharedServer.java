package io.lockkeeper.dynamodb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.DynamoDbServer;

/** One server for all tests of this JVM that do not break it. */
final class SharedServer {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  private SharedServer() {}

  /** Skips the test where the server does not run; a continuous integration run must have it. */
  static void assumeThere() {
    assumeTrue(IS_CI || DynamoDbServer.isAvailable(), DynamoDbServer.WHY_NONE);
  }

  static DynamoDbServer running() {
    assumeThere();
    return Started.SERVER;
  }

  /** Started when first asked for; it ends with this JVM. */
  private static final class Started {
    static final DynamoDbServer SERVER = DynamoDbServer.start();
  }
}
