package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.zookeeper.CasLoop.Want;
import io.lockkeeper.zookeeper.JointTurns.Claiming;
import io.lockkeeper.zookeeper.JointTurns.Member;
import io.lockkeeper.zookeeper.JointTurns.Releasing;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Carries out claims and releases, one after the other, and together what can be. */
final class JointSteps {

  private final CasLoop steps;
  private final StepQueues turns;
  private final JointTurns joint;
  private final Claims claims;
  private final Releases releases;
  private final ClaimQueue queue;
  private final OwnClaims mine;

  JointSteps(
      CasLoop steps,
      StepQueues turns,
      Claims claims,
      Releases releases,
      ClaimQueue queue,
      OwnClaims mine) {
    this.steps = steps;
    this.turns = turns;
    this.joint = new JointTurns(turns);
    this.claims = claims;
    this.releases = releases;
    this.queue = queue;
    this.mine = mine;
  }

  CompletableFuture<ClaimAnswer> claim(ClaimRequest request) {
    long asked = steps.now();
    Claiming member = new Claiming(request);
    ask(member);
    return member
        .answer()
        .thenApply(answer -> answer instanceof Queued queued ? queue.asOf(asked, queued) : answer);
  }

  CompletableFuture<ReleaseAnswer> release(ReleaseRequest request) {
    Releasing member = new Releasing(request);
    if (!member.shares()) {
      return releases.release(request);
    }
    ask(member);
    return member.answer();
  }

  private void ask(Member member) {
    if (!joint.join(member)) {
      JointTurns.Group group = joint.group(member);
      group.waitsFor(
          turns.<Runnable>inTurn(
              member.resource(), () -> claimAbsent(group), () -> inTurn(group.begin())));
    }
  }

  /** Tries the claim of a group that has only one as that of a resource that is not there. */
  private CompletableFuture<@Nullable Runnable> claimAbsent(JointTurns.Group group) {
    Claiming only = group.beginAlone();
    if (only == null) {
      return CompletableFuture.completedFuture(null);
    }
    return claims
        .claimAbsent(only.request())
        .thenApply(answer -> answer == null ? null : () -> only.answer().complete(answer));
  }

  /**
   * Carries out one after the other, and together what can be. Returns what tells the last: who
   * releases at the answer, and claims again, finds the turn of this claim at its end.
   */
  private CompletableFuture<Runnable> inTurn(List<? extends Member> members) {
    int queueing = leading(members, it -> it instanceof Claiming one && mayQueue(one));
    int sharing = queueing > 0 ? 0 : leading(members, this::mayShare);
    int first = Math.max(1, Math.max(queueing, sharing));
    List<? extends Member> rest = members.subList(first, members.size());
    CompletableFuture<Runnable> begun;
    if (queueing > 1) {
      begun = queue(claimsOf(members.subList(0, first)));
    } else if (sharing > 1) {
      begun = share(members.subList(0, first));
    } else {
      begun = alone(members.get(0));
    }
    return rest.isEmpty() ? begun : told(begun).thenCompose(done -> inTurn(rest));
  }

  private static int leading(List<? extends Member> members, Predicate<Member> is) {
    int count = 0;
    while (count < members.size() && is.test(members.get(count))) {
      count++;
    }
    return count;
  }

  private static List<Claiming> claimsOf(List<? extends Member> members) {
    return members.stream().map(Claiming.class::cast).toList();
  }

  private static CompletableFuture<Boolean> told(CompletableFuture<Runnable> ended) {
    return ended.thenApply(
        tell -> {
          tell.run();
          return true;
        });
  }

  private boolean mayQueue(Claiming member) {
    return claims.mayQueue(member.request());
  }

  private boolean mayShare(Member member) {
    return JointTurns.areStepsShared(member.resource())
        && (!(member instanceof Claiming claiming) || claims.isNew(claiming.request()));
  }

  private CompletableFuture<Runnable> alone(Member member) {
    return member instanceof Claiming one
        ? ended(one.answer(), claims.claim(one.request()))
        : ended(((Releasing) member).answer(), releases.releaseNow(((Releasing) member).request()));
  }

  private static <T> CompletableFuture<Runnable> ended(
      CompletableFuture<T> answer, CompletableFuture<T> asked) {
    return asked.handle((value, failure) -> () -> end(answer, value, failure));
  }

  /** Answers as something else has ended. */
  private static <T> void end(
      CompletableFuture<T> answer, @Nullable T value, @Nullable Throwable failure) {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(value);
    }
  }

  // ---------------------------------------------------------------- together

  /** Lets claims of one resource go into the queue together. */
  @SuppressWarnings("FutureReturnValueIgnored") // composed in the last line
  private CompletableFuture<Runnable> queue(List<Claiming> members) {
    return claims
        .join(members.stream().map(Claiming::request).toList())
        .handle(
            (answers, failure) -> {
              if (failure == null && answers.isEmpty()) {
                return each(members); // what was there has gone
              }
              Runnable tell =
                  () -> {
                    for (int i = 0; i < members.size(); i++) {
                      end(
                          members.get(i).answer(),
                          failure == null ? answers.get(i) : null,
                          failure);
                    }
                  };
              return CompletableFuture.completedFuture(tell);
            })
        .thenCompose(next -> next);
  }

  /** Carries out one after the other. */
  private CompletableFuture<Runnable> each(List<? extends Member> members) {
    CompletableFuture<Runnable> last = alone(members.get(0));
    for (Member member : members.subList(1, members.size())) {
      last = told(last).thenCompose(done -> alone(member));
    }
    return last;
  }

  /** The outcome of requests that were carried out by one step. */
  private record Shared(List<Runnable> answers, List<Claiming> queueing) {}

  /**
   * Carries out requests by one step, each as if those before it had been carried out. Claims that
   * have to queue, and those behind them that may, do so after it.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // composed in the last line
  private CompletableFuture<Runnable> share(List<? extends Member> members) {
    ResourceId id = members.get(0).resource();
    boolean claimsToo = members.stream().anyMatch(Claiming.class::isInstance);
    return steps
        .step(id, claimsToo ? Want.HOLDERS : releases.knownOrMore(id), it -> decide(it, members))
        .handle(
            (shared, failure) -> {
              if (failure != null) {
                doubt(members);
                Runnable tell = () -> members.forEach(member -> member.fail(failure));
                return CompletableFuture.completedFuture(tell);
              }
              Runnable tell = () -> shared.answers().forEach(Runnable::run);
              if (shared.queueing().isEmpty()) {
                return CompletableFuture.completedFuture(tell);
              }
              tell.run();
              return queueOrOne(shared.queueing());
            })
        .thenCompose(next -> next);
  }

  private CompletableFuture<Runnable> queueOrOne(List<Claiming> members) {
    return members.size() > 1 ? queue(members) : alone(members.get(0));
  }

  private void doubt(List<? extends Member> members) {
    for (Member member : members) {
      if (member instanceof Claiming one) {
        mine.doubt(one.resource(), one.request().claim());
      }
    }
  }

  private Function<CasLoop.Done, Shared> decide(
      ResourceTransaction draft, List<? extends Member> members) {
    List<Function<CasLoop.Done, Runnable>> answers = new ArrayList<>();
    List<Claiming> queueing = new ArrayList<>();
    for (Member member : members) {
      if (member instanceof Releasing one) {
        Function<CasLoop.Done, ReleaseAnswer> decided =
            releases.decideRelease(draft, one.request());
        answers.add(done -> answering(one.answer(), decided.apply(done)));
      } else if (member instanceof Claiming one) {
        boolean follows = !queueing.isEmpty() && one.request().queue();
        Function<CasLoop.Done, ClaimAnswer> decided =
            follows ? null : claims.decideClaim(draft, one.request());
        if (decided == null) {
          queueing.add(one);
        } else {
          answers.add(done -> answering(one.answer(), decided.apply(done)));
        }
      }
    }
    return done -> new Shared(answers.stream().map(it -> it.apply(done)).toList(), queueing);
  }

  private static <T> Runnable answering(CompletableFuture<T> answer, T value) {
    return () -> answer.complete(value);
  }
}
