package io.lockkeeper.spring.integration;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class SqliteLockRegistryTest extends LockRegistryContract {

  @TempDir private static Path folder;

  @Override
  String url() {
    return "jdbc:sqlite:" + folder.resolve("locks.db");
  }
}
