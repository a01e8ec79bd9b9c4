package io.lockkeeper.spring.integration;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteLockRegistryTest extends LockRegistryContract {

  @TempDir private static Path folder;

  @Override
  String url() {
    return "jdbc:sqlite:" + folder.resolve("locks.db");
  }
}
