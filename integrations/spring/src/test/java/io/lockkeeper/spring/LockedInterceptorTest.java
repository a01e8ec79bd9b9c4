package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lockkeeper.HeldLease;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockedInterceptorTest {

  private final List<String> released = new ArrayList<>();

  @Test
  void allAreReleasedWhateverBecomesOfEach() {
    Error first = new StackOverflowError("first");
    RuntimeException second = new IllegalStateException("second");
    Error third = new AssertionError("third");
    Deque<Hold> held =
        new ArrayDeque<>(
            List.of(
                hold("a", null),
                hold("b", first),
                hold("c", second),
                hold("d", third),
                hold("e", null)));

    Throwable thrown = catchThrowable(() -> LockedInterceptor.releaseAll(held));

    assertThat(thrown).isSameAs(first);
    assertThat(thrown.getSuppressed()).containsExactly(second, third);
    assertThat(released).containsExactly("a", "b", "c", "d", "e");
    assertThat(held).isEmpty();
  }

  @Test
  void aFailureOfTheFirstDoesNotKeepTheOthersHeld() {
    RuntimeException failure = new IllegalStateException("first");
    Deque<Hold> held = new ArrayDeque<>(List.of(hold("a", failure), hold("b", null)));

    assertThat(catchThrowable(() -> LockedInterceptor.releaseAll(held))).isSameAs(failure);
    assertThat(released).containsExactly("a", "b");
  }

  /** Returns a hold whose release is noted, and then throws this if it is not null. */
  private Hold hold(String name, Throwable failure) {
    return new Hold() {
      @Override
      public HeldLease lease() {
        throw new UnsupportedOperationException();
      }

      @Override
      public boolean isOutermost() {
        return true;
      }

      @Override
      public Map<String, Long> tokens() {
        return Map.of();
      }

      @Override
      public void check() {}

      @Override
      public void release() {
        released.add(name);
        if (failure instanceof Error error) {
          throw error;
        } else if (failure instanceof RuntimeException exception) {
          throw exception;
        }
      }
    };
  }
}
