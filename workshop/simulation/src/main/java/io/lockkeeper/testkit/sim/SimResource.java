package io.lockkeeper.testkit.sim;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Something to hold in a simulated run: a lock, a read-write lock or a semaphore.
 *
 * @param limit how much of it there is, see {@link Share}
 * @param readersPass whether readers pass writers that came first
 */
record SimResource(String name, ResourceKind kind, int limit, boolean readersPass) {

  static List<SimResource> draw(int count, SplittableRandom random) {
    List<SimResource> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = "r" + i;
      drawn.add(
          switch (random.nextInt(4)) {
            case 0 ->
                new SimResource(
                    name, ResourceKind.READ_WRITE_LOCK, Share.ALL, random.nextInt(3) == 0);
            case 1 -> new SimResource(name, ResourceKind.SEMAPHORE, random.nextInt(1, 6), false);
            default -> new SimResource(name, ResourceKind.LOCK, 1, false);
          });
    }
    return drawn;
  }

  ResourceId id() {
    return new ResourceId(kind, name);
  }

  /** Returns whether claims are admitted in the order of their arrival. */
  boolean keepsOrder() {
    return !readersPass;
  }

  @Override
  public String toString() {
    String rule =
        readersPass ? ", readers first" : kind == ResourceKind.SEMAPHORE ? " of " + limit : "";
    return name + " (" + kind + rule + ")";
  }
}
