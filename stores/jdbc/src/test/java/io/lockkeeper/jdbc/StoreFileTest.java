package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a SQLite file under those who use it. */
class StoreFileTest {

  @TempDir private Path folder;

  private StoreProbe open() {
    return Probes.open("jdbc:sqlite:" + folder.resolve("locks.db"));
  }

  private void deleteFile() throws IOException {
    for (String end : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(folder.resolve("locks.db" + end));
    }
  }

  @Test
  void whoeverHoldsALockInAFileThatIsReplacedHearsOfTheLoss() throws Exception {
    try (StoreProbe old = open()) {
      Grant grant = old.claimed(ResourceId.lock("a"), 1);
      deleteFile();
      try (StoreProbe fresh = open()) {
        Grant other = fresh.claimed(ResourceId.lock("a"), 1);

        assertThat(StoreProbe.answer(old.renew(ResourceId.lock("a"), grant)).renewed()).isFalse();
        old.queued(ResourceId.lock("a"), 2);
        assertThat(old.notification()).isEqualTo("reconnected");
        fresh.release(ResourceId.lock("a"), other);
        assertThat(old.notification()).startsWith("granted lock 'a' [2]");
      }
    }
  }

  @Test
  void aFileThatIsDeletedIsMadeAgain() throws Exception {
    try (StoreProbe old = open()) {
      old.claimed(ResourceId.lock("a"), 1);
      deleteFile();

      assertThat(old.claimed(ResourceId.lock("a"), 2).firstToken()).isPositive();

      try (StoreProbe other = open()) {
        other.queued(ResourceId.lock("a"), 1);
      }
    }
  }

  /** A client that only tried now and then would not find one of the short pauses. */
  @Test
  void aFileThatOthersKeepBusyIsConnectedToInAPause() throws Exception {
    open().close();
    String url = "jdbc:sqlite:" + folder.resolve("locks.db");
    AtomicBoolean ends = new AtomicBoolean();
    CompletableFuture<Boolean> others =
        CompletableFuture.supplyAsync(
            () -> {
              try (Connection connection = DriverManager.getConnection(url);
                  Statement statement = connection.createStatement()) {
                while (!ends.get()) {
                  statement.execute("begin immediate");
                  Thread.sleep(100);
                  statement.execute("commit");
                  LockSupport.parkNanos(4_000_000);
                }
                return true;
              } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    try {
      for (int i = 0; i < 5; i++) {
        open().close();
      }
    } finally {
      ends.set(true);
    }
    assertThat(others).succeedsWithin(Delays.patience());
  }

  @ParameterizedTest
  @ValueSource(strings = {"nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs", "lustre"})
  void aFileSystemOfTheNetworkIsKnown(String type) {
    assertThat(StoreFile.isOfNetwork(type)).isTrue();
    assertThat(SqlOpener.onNetwork(folder, type))
        .contains(type, "lockkeeper.network=allow", "withNetworkFiles");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs", "overlay", "tmpfs", "apfs", "ntfs", "zfs"})
  void aLocalFileSystemIsNone(String type) {
    assertThat(StoreFile.isOfNetwork(type)).isFalse();
  }
}
