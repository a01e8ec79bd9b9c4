package io.lockkeeper.engine.deadlock;

import io.lockkeeper.spi.ResourceId;
import java.util.List;

/** Makes suspects: each holds one lock and waits for another. */
final class Suspects {

  private Suspects() {}

  static Suspect of(String client, long arrival, String holds, String waitsFor) {
    return of(client, true, arrival, holds, waitsFor);
  }

  static Suspect of(String client, boolean breaks, long arrival, String holds, String waitsFor) {
    return new Suspect(
        client,
        client + "/1",
        breaks,
        7,
        "worker",
        3,
        1_000,
        arrival,
        ResourceId.lock(waitsFor),
        1,
        1,
        false,
        List.of(new Suspect.Held(ResourceId.lock(holds), 9, 1)));
  }
}
