package io.lockkeeper.examples;

import io.lockkeeper.Leader;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Term;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Lets three candidates lead one after the other; each steps down when it has been elected. */
public final class OneLeader {

  private static final String DEFAULT_URL = "memory:one-leader";
  private static final int CANDIDATES = 3;

  private OneLeader() {}

  /** A candidate that says when it leads. */
  private record Candidate(int number, BlockingQueue<Integer> elected) implements LeaderListener {

    @Override
    public void elected(Term term) {
      elected.add(number); // begin the leader's work elsewhere, and send term.token() with it
    }

    @Override
    public void lost(Term term) {
      // stop the leader's work, if that has not been done
    }
  }

  /**
   * Runs it.
   *
   * @param args the store's URL; by default the memory of this process
   */
  public static void main(String[] args) throws InterruptedException {
    System.out.println("leaders: " + run(args.length == 0 ? DEFAULT_URL : args[0]));
  }

  static List<Integer> run(String url) throws InterruptedException {
    List<Integer> leaders = new ArrayList<>();
    BlockingQueue<Integer> elected = new LinkedBlockingQueue<>();
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      List<LeaderElection> candidates = new ArrayList<>();
      for (int i = 0; i < CANDIDATES; i++) {
        LeaderElection candidate = keeper.leaderElection("nightly-report");
        candidate.start(new Candidate(i, elected));
        candidates.add(candidate);
      }
      while (leaders.size() < CANDIDATES) {
        Integer number = elected.poll(1, TimeUnit.MINUTES);
        if (number == null) {
          throw new IllegalStateException("nobody leads");
        }
        leaders.add(number);
        Optional<Leader> seenByAll = keeper.leaderElection("nightly-report").leader();
        System.out.println("candidate " + number + " leads: " + seenByAll);
        candidates.get(number).resign();
      }
      candidates.forEach(LeaderElection::close);
    }
    return leaders;
  }
}
