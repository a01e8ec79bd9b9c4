package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.TimerTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time limits of calls, whatever goes wrong while they are looked at. */
class DeadlinesTest {

  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private long nowNanos;
  private boolean isBroken;
  private final Queue<TimerTask> looks = new ArrayDeque<>();
  private final List<Deadlines.Pending> ended = new ArrayList<>();
  private final Deadlines deadlines =
      new Deadlines(new Looks(), () -> nowNanos, LIMIT_NANOS, this::end);

  /** A timer whose tasks run when the test wants it. */
  private final class Looks implements Timer {

    @Override
    @SuppressWarnings("NullAway") // nobody cancels a look
    public Timeout newTimeout(TimerTask task, long delay, TimeUnit unit) {
      if (isBroken) {
        throw new NoClassDefFoundError("made up");
      }
      looks.add(task);
      return null;
    }

    @Override
    public Set<Timeout> stop() {
      return Set.of();
    }
  }

  private record Question(long deadlineNanos) implements Deadlines.Pending {

    @Override
    public boolean isOver() {
      return false;
    }
  }

  private void end(List<Deadlines.Pending> due) {
    ended.addAll(due);
    if (ended.size() == 1) {
      throw new NoClassDefFoundError("made up");
    }
  }

  @SuppressWarnings("NullAway") // nobody asks for it
  private void look() throws Exception {
    looks.remove().run(null);
  }

  @Test
  void whoeverThrowsWhenCallsAreDueLeavesTheNextOnesTheirDeadline() throws Exception {
    deadlines.add(new Question(LIMIT_NANOS));
    nowNanos = LIMIT_NANOS;
    assertThatThrownBy(this::look).isInstanceOf(NoClassDefFoundError.class);
    deadlines.add(new Question(2 * LIMIT_NANOS));
    nowNanos = 2 * LIMIT_NANOS;

    look();

    assertThat(ended).contains(new Question(2 * LIMIT_NANOS));
  }

  @Test
  void aLookThatCouldNotBePlannedIsPlannedWithTheNextCall() throws Exception {
    isBroken = true;
    assertThatThrownBy(() -> deadlines.add(new Question(LIMIT_NANOS)))
        .isInstanceOf(NoClassDefFoundError.class);
    isBroken = false;
    deadlines.add(new Question(LIMIT_NANOS));
    nowNanos = LIMIT_NANOS;

    look();

    assertThat(ended).hasSize(2);
  }
}
