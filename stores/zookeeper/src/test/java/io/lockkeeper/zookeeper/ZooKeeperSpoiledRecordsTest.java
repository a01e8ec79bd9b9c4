package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.SpoiledRecords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;

@Tag("full")
class ZooKeeperSpoiledRecordsTest extends SpoiledRecords {

  private static final List<String> DATA =
      List.of(
          "",
          "a string",
          "lockkeeper1",
          "lockkeeper1 0 -1 - -\n",
          "lockkeeper1 9223372036854775807 -1 - -\n",
          "lockkeeper1 x y z\n",
          "lockkeeper1 0 -5 r k\ng\n",
          "lockkeeper-cell1 +",
          "lockkeeper-cell1 + 0 0 0\n\n",
          "lockkeeper-cell2 + 0 0 0\n\nx",
          "\n\n\n");

  private final RawTree tree = RawTree.of(SharedServer.running());

  @Override
  protected StoreFactory factory() {
    return new ZooKeeperStoreProvider().factory(SharedServer.running().url());
  }

  @Override
  protected int records() {
    return 40;
  }

  @Override
  protected String spoil(String namespace, String name, Random random) {
    List<String> paths =
        tree.below("/lockkeeper/" + namespace).stream()
            .filter(path -> path.contains("/" + name))
            .toList();
    if (paths.isEmpty()) {
      return "";
    }
    String path = paths.get(random.nextInt(paths.size()));
    switch (random.nextInt(6)) {
      case 0 -> {
        tree.deleteAll(path);
        return "delete " + path;
      }
      case 1 -> {
        String child = path + "/" + (random.nextBoolean() ? "foreign" : "q.a.b.c.d.e.f.0000000001");
        tree.create(child);
        return "create " + child;
      }
      default -> {
        byte[] data = spoiled(tree.data(path), random);
        tree.write(path, data);
        return "set " + path + " " + new String(data, StandardCharsets.ISO_8859_1);
      }
    }
  }

  private static byte[] spoiled(String old, Random random) {
    if (random.nextInt(3) == 0 || old.isEmpty()) {
      return DATA.get(random.nextInt(DATA.size())).getBytes(StandardCharsets.UTF_8);
    }
    int at = random.nextInt(old.length());
    String text =
        switch (random.nextInt(3)) {
          case 0 -> old.substring(0, at);
          case 1 -> old.substring(at);
          default ->
              old.substring(0, at) + (char) (' ' + random.nextInt(95)) + old.substring(at + 1);
        };
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
