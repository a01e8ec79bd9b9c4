package io.lockkeeper.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.core.SpringVersion;
import org.springframework.integration.support.locks.LockRegistry;

@Tag("versions")
class SpringVersionTest {

  private static LockRegistry<?> lockRegistry(Lockkeeper keeper) {
    return new LockkeeperLockRegistry(keeper, "orders");
  }

  @Test
  void theVersionThatIsTestedIsTheOneThatIsMeantAndItsLocksAreWhatItKnows() {
    String spring = System.getProperty("lockkeeper.test.spring", "7.");
    assertThat(SpringVersion.getVersion()).startsWith(spring);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:registry-versions")) {
      boolean isTimed =
          Arrays.stream(lockRegistry(keeper).obtain("a").getClass().getInterfaces())
              .anyMatch(type -> type.getSimpleName().equals("DistributedLock"));
      assertThat(isTimed).isEqualTo(spring.equals("7."));
    }
  }
}
