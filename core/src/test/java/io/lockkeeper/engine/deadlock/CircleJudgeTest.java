package io.lockkeeper.engine.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.engine.deadlock.CircleJudge.Case;
import io.lockkeeper.engine.deadlock.CircleJudge.Judgement;
import io.lockkeeper.engine.deadlock.CircleJudge.Verdict;
import io.lockkeeper.engine.deadlock.WaitForBoard.Note;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a circle is believed, and when it is broken. */
class CircleJudgeTest {

  private static final List<Suspect> CIRCLE =
      List.of(Suspects.of("me", 1, "a", "b"), Suspects.of("you", 2, "b", "a"));
  private static final List<Suspect> OTHER =
      List.of(Suspects.of("me", 1, "c", "d"), Suspects.of("you", 2, "d", "c"));

  private final CircleJudge judge = new CircleJudge();
  private long now = 1_000_000_000;

  private static WaitForBoard board(long mine, long yours) {
    WaitForBoard board = new WaitForBoard();
    board.notes().put("me", new Note(mine, List.of(CIRCLE.get(0))));
    board.notes().put("you", new Note(yours, List.of(CIRCLE.get(1))));
    return board;
  }

  private Judgement look(long mine, long yours, List<List<Suspect>> found) {
    return judge.judge(found, board(mine, yours), mine, now);
  }

  private List<Verdict> verdicts(long mine, long yours) {
    return look(mine, yours, List.of(CIRCLE)).cases().stream().map(Case::verdict).toList();
  }

  @Test
  void withoutACircleThereIsNothingToDecide() {
    Judgement judgement = look(1, 1, List.of());

    assertThat(judgement.cases()).isEmpty();
    assertThat(judgement.needsNote()).isFalse();
    assertThat(judge.isCalm()).isTrue();
  }

  @Test
  void aCircleThatIsSeenForTheFirstTimeIsNotBelieved() {
    Judgement judgement = look(1, 1, List.of(CIRCLE));

    assertThat(judgement.cases()).isEmpty();
    assertThat(judgement.needsNote()).as("others wait for another look").isTrue();
    assertThat(judge.isCalm()).isFalse();
  }

  @Test
  void aCircleIsBelievedWhenEveryClientInItHasLookedAgain() {
    assertThat(verdicts(1, 1)).isEmpty();
    assertThat(verdicts(2, 1)).as("one has not").isEmpty();
    assertThat(verdicts(3, 2)).containsExactly(Verdict.TELL);
  }

  @Test
  void theLookThatBelievesACircleNeedsANoteTooAndTheNextDoesNot() {
    look(1, 1, List.of(CIRCLE));

    assertThat(look(2, 2, List.of(CIRCLE)).needsNote()).isTrue();
    assertThat(look(3, 3, List.of(CIRCLE)).needsNote()).isFalse();
  }

  @Test
  void aBelievedCircleIsBrokenOnceAllInItHaveToldOfIt() {
    verdicts(1, 1);
    assertThat(verdicts(2, 2)).containsExactly(Verdict.TELL);
    List<Suspect> mine = judge.marked(CIRCLE.subList(0, 1));
    assertThat(mine.get(0).told()).isTrue();

    List<Suspect> half = List.of(mine.get(0), CIRCLE.get(1));
    assertThat(look(3, 3, List.of(half)).cases()).as("one has not told").isEmpty();
    assertThat(judge.isCalm()).isFalse();

    List<Suspect> all = List.of(mine.get(0), CIRCLE.get(1).withTold(true));
    assertThat(look(4, 4, List.of(all)).cases()).containsExactly(new Case(all, Verdict.BREAK));
    assertThat(judge.isCalm()).isTrue();
    assertThat(look(5, 5, List.of(all)).cases()).isEmpty();
  }

  @Test
  void thatOthersBelieveACircleIsNoReasonToBelieveIt() {
    List<Suspect> told = CIRCLE.stream().map(each -> each.withTold(true)).toList();

    assertThat(look(1, 1, List.of(told)).cases()).isEmpty();
    assertThat(judge.marked(told)).noneMatch(Suspect::told);
  }

  @Test
  void aBelievedCircleOfWhichOneDoesNotTellIsBrokenAfterTheGrace() {
    verdicts(1, 1);
    assertThat(verdicts(2, 2)).containsExactly(Verdict.TELL);
    now += CircleJudge.GRACE_NANOS - 1;
    assertThat(verdicts(3, 3)).as("all in it are to tell of it first").isEmpty();
    assertThat(judge.isCalm()).isFalse();
    now += 1;
    assertThat(verdicts(4, 4)).containsExactly(Verdict.BREAK);
    assertThat(judge.isCalm()).isTrue();
    now += CircleJudge.GRACE_NANOS;
    assertThat(verdicts(5, 5)).isEmpty();
  }

  @Test
  void aCircleThatWasGoneInBetweenIsJudgedAnew() {
    verdicts(1, 1);
    look(2, 2, List.of());
    assertThat(judge.isCalm()).isTrue();

    assertThat(verdicts(3, 3)).isEmpty();
    assertThat(verdicts(4, 4)).containsExactly(Verdict.TELL);
  }

  @Test
  void theSameThreadsWithOtherHoldsAreAnotherCircle() {
    look(1, 1, List.of(CIRCLE));

    assertThat(look(2, 2, List.of(OTHER)).cases()).isEmpty();
  }

  @Test
  void theOrderInWhichACircleIsFoundDoesNotMatter() {
    look(1, 1, List.of(CIRCLE));

    List<Suspect> turned = List.of(CIRCLE.get(1), CIRCLE.get(0));
    assertThat(look(2, 2, List.of(turned)).cases()).containsExactly(new Case(turned, Verdict.TELL));
  }

  @Test
  void circlesAreJudgedEachByItself() {
    look(1, 1, List.of(CIRCLE));
    Judgement judgement = look(2, 2, List.of(CIRCLE, OTHER));

    assertThat(judgement.cases()).containsExactly(new Case(CIRCLE, Verdict.TELL));
    assertThat(judge.isCalm()).isFalse();
  }

  @Test
  void aClientWhoseNoteIsGoneHasNotLookedAgain() {
    look(1, 1, List.of(CIRCLE));
    WaitForBoard board = board(2, 2);
    board.notes().remove("you");

    assertThat(judge.judge(List.of(CIRCLE), board, 2, now).cases()).isEmpty();
  }

  @Test
  void whatIsForgottenIsSeenForTheFirstTimeAgain() {
    look(1, 1, List.of(CIRCLE));
    judge.clear();

    assertThat(judge.isCalm()).isTrue();
    assertThat(verdicts(2, 2)).isEmpty();
  }
}
