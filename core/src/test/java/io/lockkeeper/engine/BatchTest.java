package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BatchTest {

  private static final Duration UNTIL_RENEWAL = Duration.ofSeconds(10);

  private final Rig rig = Rig.obliging();

  private List<Lease> hold(int locks) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < locks; i++) {
      leases.add(rig.got(rig.keeper.lock("n" + i).acquireAsync()));
    }
    return leases;
  }

  private List<Script.Call<List<RenewRequest>, List<Outcome<RenewAnswer>>>> renewals(int calls) {
    rig.store.renewals.manual();
    rig.pass(UNTIL_RENEWAL);
    List<Script.Call<List<RenewRequest>, List<Outcome<RenewAnswer>>>> sent = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      sent.add(rig.store.renewals.next());
    }
    assertThat(rig.store.renewals.waiting()).isZero();
    return sent;
  }

  @Test
  void renewalsThatFallDueTogetherAreSentAHundredToARequestSideBySide() {
    try (rig) {
      hold(250);
      var sent = renewals(3); // without a reply to any of them

      assertThat(sent).extracting(call -> call.request.size()).containsExactly(100, 100, 50);
      Set<String> names = new TreeSet<>();
      sent.forEach(call -> call.request.forEach(request -> names.add(request.resource().name())));
      assertThat(names).hasSize(250);
    }
  }

  @Test
  void aRequestThatFailsTakesNoOtherWithIt() {
    try (rig) {
      List<Lease> leases = hold(250);
      var sent = renewals(3);
      sent.get(1).reply(ScriptedStore.silence(sent.get(1).request));
      sent.get(0).reply(ScriptedStore.renewed(sent.get(0).request, false));
      sent.get(2).reply(ScriptedStore.renewed(sent.get(2).request, false));
      rig.pass(Duration.ofSeconds(20)); // the old end is over; the failed ones were asked again

      Set<String> failed = new TreeSet<>();
      sent.get(1).request.forEach(request -> failed.add(request.resource().name()));
      for (Lease lease : leases) {
        assertThat(lease.isValid()).isEqualTo(!failed.contains(lease.name()));
      }
    }
  }

  @Test
  void anItemThatIsNotRenewedTakesNoOtherWithIt() {
    try (rig) {
      List<Lease> leases = hold(3);
      var sent = renewals(1).get(0);
      String gone = sent.request.get(1).resource().name();
      sent.reply(
          List.of(
              Outcome.answered(new RenewAnswer(true, false)),
              Outcome.answered(new RenewAnswer(false, false)),
              Outcome.answered(new RenewAnswer(true, false))));

      for (Lease lease : leases) {
        assertThat(lease.isValid()).isEqualTo(!lease.name().equals(gone));
      }
    }
  }

  @Test
  void anAnswerThatIsTooShortIsNoAnswerForTheRest() {
    try (rig) {
      List<Lease> leases = hold(2);
      var sent = renewals(1).get(0);
      sent.reply(List.of(Outcome.answered(new RenewAnswer(true, false))));
      rig.store.renewals.always(batch -> ScriptedStore.renewed(batch, false));
      rig.pass(Duration.ofSeconds(5));

      assertThat(rig.store.renewals.count()).as("asked again").isEqualTo(2);
      assertThat(leases).allMatch(Lease::isValid);
    }
  }
}
