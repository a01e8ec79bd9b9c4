package io.lockkeeper.engine.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.deadlock.WaitForBoard.Note;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the note of a client that looks no more is taken off the board. */
class AbsentClientsTest {

  private static final long ABSENT = 5_000;

  private final AbsentClients absent = new AbsentClients(ABSENT);

  private boolean isLeft(long number, long now) {
    WaitForBoard board = new WaitForBoard();
    board.notes().put("you", new Note(number, List.of()));
    absent.removeFrom(board, now);
    return board.notes().containsKey("you");
  }

  @Test
  void aNoteThatStaysTheSameIsTakenOffWhenItsTimeIsOver() {
    assertThat(isLeft(1, 0)).isTrue();
    assertThat(isLeft(1, ABSENT)).isTrue();
    assertThat(isLeft(1, ABSENT + 1)).isFalse();
  }

  @Test
  void aNoteWithANewNumberIsFresh() {
    isLeft(1, 0);
    assertThat(isLeft(2, ABSENT + 1)).isTrue();
    assertThat(isLeft(2, 2 * ABSENT + 1)).isTrue();
    assertThat(isLeft(2, 2 * ABSENT + 2)).isFalse();
  }

  @Test
  void aNoteThatWasGoneIsFreshWhenItComesBack() {
    isLeft(1, 0);
    absent.removeFrom(new WaitForBoard(), 1);

    assertThat(isLeft(1, ABSENT + 1)).isTrue();
  }

  @Test
  void whatIsForgottenIsFresh() {
    isLeft(1, 0);
    absent.clear();

    assertThat(isLeft(1, ABSENT + 1)).isTrue();
  }
}
