package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.policy.Instants;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WaiterQueueTest {

  private final WaiterQueue queue = new WaiterQueue();

  @Test
  void aNewQueueIsEmpty() {
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.first()).isNull();
    assertThat(queue.size()).isZero();
  }

  @Test
  void theFirstToComeIsFirst() {
    Waiter a = add();
    Waiter b = add();

    assertThat(content()).containsExactly(a, b);
  }

  @Test
  void aPlaceCanBeGivenUpAnywhere() {
    Waiter a = add();
    Waiter b = add();
    Waiter c = add();
    Waiter d = add();

    queue.remove(b);
    assertThat(content()).containsExactly(a, c, d);
    queue.remove(d);
    assertThat(content()).containsExactly(a, c);
    queue.remove(a);
    assertThat(content()).containsExactly(c);
    queue.remove(c);
    assertThat(content()).isEmpty();
  }

  @Test
  void removingWhatIsNotThereDoesNothing() {
    Waiter a = add();
    Waiter stranger = waiter();

    queue.remove(stranger);
    queue.remove(a);
    queue.remove(a);

    assertThat(content()).isEmpty();
    assertThat(queue.size()).isZero();
  }

  @Test
  void whoLeftCanComeBackAtTheEnd() {
    Waiter a = add();
    Waiter b = add();
    queue.remove(a);
    queue.add(a);

    assertThat(content()).containsExactly(b, a);
  }

  @Test
  void itBehavesAsAListDoes() {
    long seed = Long.getLong("lockkeeper.test.seed", System.nanoTime());
    System.out.println("-Dlockkeeper.test.seed=" + seed);
    Random random = new Random(seed);
    List<Waiter> model = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      if (model.isEmpty() || random.nextInt(5) < 3) {
        model.add(add());
      } else {
        queue.remove(model.remove(random.nextInt(model.size())));
      }
      if (i % 100 == 0) {
        assertThat(content()).as("seed %d, step %d", seed, i).isEqualTo(model);
      }
      assertThat(queue.size()).isEqualTo(model.size());
    }
  }

  private Waiter add() {
    Waiter waiter = waiter();
    queue.add(waiter);
    return waiter;
  }

  private static Waiter waiter() {
    Waiter.Terms terms = new Waiter.Terms(1, false, 0, 0, Instants.NEVER);
    return new Waiter(Waiter.Order.SHARED, terms, null, null, null);
  }

  private List<Waiter> content() {
    List<Waiter> content = new ArrayList<>();
    for (Waiter waiter = queue.first(); waiter != null; waiter = waiter.next) {
      content.add(waiter);
    }
    return content;
  }
}
