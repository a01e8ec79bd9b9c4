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
 * Clients of another format are kept apart from those of this one: together they could give a lock
 * to two.
 */
class OtherFormatTest {

  private static final byte[] OTHER = "lockkeeper2 0 -1 - -\n".getBytes(StandardCharsets.UTF_8);

  @Test
  void aRecordOfAnotherFormatIsRefusedAndLeftAsItIs() throws InterruptedException {
    String namespace = "other-" + UUID.randomUUID();
    RawTree tree = RawTree.of(SharedServer.running());
    try (Lockkeeper keeper =
        Lockkeeper.builder().namespace(namespace).connect(SharedServer.running().url())) {
      keeper.lock("other").acquire(); // makes the folder
      String path = "/lockkeeper/" + namespace + "/r:lock:n";
      tree.create(path);
      tree.write(path, OTHER);

      assertThatThrownBy(() -> keeper.lock("n").tryLock())
          .isInstanceOfSatisfying(
              StoreRefusedException.class,
              refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.FOREIGN_RECORD));
      assertThat(tree.data(path)).isEqualTo(new String(OTHER, StandardCharsets.ISO_8859_1));
    }
  }
}
