package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Clients of the first format, which could give a lock to two, are kept apart from those of today.
 */
class OlderRecordTest {

  private static final byte[] OLDER = "lockkeeper1 0 -1 - -\n".getBytes(StandardCharsets.UTF_8);

  @Test
  void aRecordOfAnEarlierFormatIsRefusedAndLeftAsItIs() throws InterruptedException {
    String namespace = "older-" + UUID.randomUUID();
    RawTree tree = RawTree.of(SharedServer.running());
    try (Lockkeeper keeper =
        Lockkeeper.builder().namespace(namespace).connect(SharedServer.running().url())) {
      keeper.lock("other").acquire(); // makes the folder
      String path = "/lockkeeper/" + namespace + "/lock/n";
      tree.create(path);
      tree.write(path, OLDER);

      assertThatThrownBy(() -> keeper.lock("n").tryLock())
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.FOREIGN_RECORD));
      assertThat(tree.data(path)).isEqualTo(new String(OLDER, StandardCharsets.ISO_8859_1));
    }
  }
}
