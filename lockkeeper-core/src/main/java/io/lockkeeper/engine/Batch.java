package io.lockkeeper.engine;

import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** The renewals and looks that fell due in one pulse, to be sent together. */
final class Batch {

  private record Renewal(Gate gate, Tenure tenure, RenewRequest request) {}

  private record Look(Gate gate, LookRequest request) {}

  private final List<Renewal> renewals = new ArrayList<>();
  private final List<Look> looks = new ArrayList<>();

  void renew(Gate gate, Tenure tenure, RenewRequest request) {
    renewals.add(new Renewal(gate, tenure, request));
  }

  void look(Gate gate, LookRequest request) {
    looks.add(new Look(gate, request));
  }

  /**
   * Sends everything.
   *
   * @param sentNanos not later than the sending
   * @param failures is told what goes wrong with answers; throws nothing itself
   */
  void send(Store store, long sentNanos, BiConsumer<String, Throwable> failures) {
    StoreCalls.tellEach(
        failures,
        renewals,
        renewal -> renewal.gate().name,
        part -> store.renew(part.stream().map(Renewal::request).toList()),
        (renewal, outcome) ->
            renewal.gate().renewAnswered(renewal.tenure(), renewal.request(), sentNanos, outcome));
    StoreCalls.tellEach(
        failures,
        looks,
        look -> look.gate().name,
        part -> store.look(part.stream().map(Look::request).toList()),
        (look, outcome) -> look.gate().lookAnswered(look.request(), sentNanos, outcome));
  }
}
