package io.lockkeeper.engine.deadlock;

import io.lockkeeper.DeadlockException;
import io.lockkeeper.DeadlockMember;
import io.lockkeeper.LockEvent;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.spi.ResourceId;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Collectors;

/** Tells of circles that are certain, and ends the wait of the victim if it is this client's. */
final class CircleBreaker {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final ClientRuntime runtime;
  private final ThreadSurvey threads;

  CircleBreaker(ClientRuntime runtime, ThreadSurvey threads) {
    this.runtime = runtime;
    this.threads = threads;
  }

  /** Does what a judgement says. */
  void act(CircleJudge.Case decided) {
    switch (decided.verdict()) {
      case TELL -> tell(decided.members());
      case BREAK -> end(decided.members());
    }
  }

  /** Tells of each wait of this client, except the one that it is about to end. */
  private void tell(List<Suspect> circle) {
    Suspect victim = Victims.choose(circle);
    for (Suspect member : mine(circle)) {
      if (!member.equals(victim)) {
        publish(member, circle, false);
      }
    }
  }

  /** Ends the victim's wait, if it is one of this client. */
  private void end(List<Suspect> circle) {
    Suspect victim = Victims.choose(circle);
    for (Suspect member : mine(circle)) {
      if (member.equals(victim)) {
        publish(member, circle, threads.refuse(member, failure(member, cycle(circle))));
      }
    }
  }

  private List<Suspect> mine(List<Suspect> circle) {
    return circle.stream().filter(member -> member.client().equals(runtime.clientId())).toList();
  }

  private static List<DeadlockMember> cycle(List<Suspect> circle) {
    return circle.stream().map(Suspect::member).toList();
  }

  private void publish(Suspect member, List<Suspect> circle, boolean broken) {
    List<DeadlockMember> cycle = cycle(circle);
    if (runtime.events().wants(LockEvent.Deadlock.class)) {
      ResourceId resource = member.resource();
      runtime
          .events()
          .publish(new LockEvent.Deadlock(resource.kind(), resource.name(), cycle, broken));
    } else if (!broken) {
      LOG.log(Level.WARNING, () -> message("deadlock", cycle));
    }
  }

  private static DeadlockException failure(Suspect member, List<DeadlockMember> cycle) {
    String name = member.resource().name();
    return new DeadlockException(
        message("'" + name + "' cannot be had: each of these threads waits", cycle), cycle);
  }

  private static String message(String head, List<DeadlockMember> cycle) {
    return head + cycle.stream().map(m -> "\n  " + m).collect(Collectors.joining());
  }
}
