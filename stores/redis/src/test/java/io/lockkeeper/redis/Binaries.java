package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.RedisBinary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Assumptions;

/** The server versions to test with. A missing one skips tests, but not where all must be there. */
final class Binaries {

  private static final boolean MUST_BE_THERE = "true".equals(System.getenv("CI"));

  private static final Predicate<RedisBinary> IS_NEW = binary -> binary.isAtLeast(7, 0);

  private Binaries() {}

  /** For tests that run once per version. */
  static List<RedisBinary> all() {
    List<RedisBinary> all = RedisBinary.available();
    assertThat(all).as("redis-server programs").isNotEmpty();
    if (MUST_BE_THERE) {
      assertThat(all).contains(oldest(), newest());
    }
    return all;
  }

  /** For tests that run once per version, and on Valkey where it is installed. */
  static List<RedisBinary> allAndValkey() {
    List<RedisBinary> all = new ArrayList<>(all());
    RedisBinary.valkey().ifPresent(all::add);
    return all;
  }

  /** Returns Redis 6.2, the oldest version that is supported. */
  static RedisBinary oldest() {
    return require("Redis 6.2", IS_NEW.negate());
  }

  /**
   * Returns Redis 7.0 or later, the first with another way of running scripts; or the one that
   * comes with the build, so that a machine without Redis skips nothing that every version can
   * show.
   */
  static RedisBinary newest() {
    if (MUST_BE_THERE) {
      return require("Redis 7.0 or later", IS_NEW);
    }
    return RedisBinary.available().stream()
        .filter(IS_NEW)
        .findFirst()
        .orElseGet(RedisBinary::preferred);
  }

  /** Returns Valkey, which is tested where it is installed. */
  static RedisBinary valkey() {
    Optional<RedisBinary> found = RedisBinary.valkey();
    Assumptions.assumeTrue(found.isPresent(), "needs valkey-server on the PATH");
    return found.orElseThrow();
  }

  private static RedisBinary require(String what, Predicate<RedisBinary> condition) {
    Optional<RedisBinary> found = RedisBinary.available().stream().filter(condition).findFirst();
    if (MUST_BE_THERE) {
      assertThat(found).as(what).isPresent();
    }
    Assumptions.assumeTrue(found.isPresent(), "needs " + what + ": redis-server on the PATH");
    return found.orElseThrow();
  }
}
