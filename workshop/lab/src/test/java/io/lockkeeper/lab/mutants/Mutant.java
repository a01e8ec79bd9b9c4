package io.lockkeeper.lab.mutants;

import static io.lockkeeper.lab.history.ResourceType.COUNTER;
import static io.lockkeeper.lab.history.ResourceType.FAIR;
import static io.lockkeeper.lab.history.ResourceType.LATCH;
import static io.lockkeeper.lab.history.ResourceType.LOCK;
import static io.lockkeeper.lab.history.ResourceType.RW;
import static io.lockkeeper.lab.history.ResourceType.SEMAPHORE;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import java.util.List;
import java.util.Set;

/** A store that breaks one promise. */
@SuppressWarnings("ImmutableEnumChecker") // sets and lists that nobody can change
enum Mutant {
  GRANTS_TWICE(Set.of("X1", "T6"), FAIR) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.GrantsTwice(store);
    }
  },
  RELEASE_FREES_OTHERS(Set.of("X1"), FAIR) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.ReleasesOthers(store);
    }
  },
  LEASES_TOO_SHORT(Set.of("X1"), LOCK) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.ShortLeases(store);
    }
  },
  RENEWALS_ARE_FALSE(Set.of("X1"), LOCK) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.FalseRenewals(store, it -> true);
    }
  },
  RENEWALS_BY_OTHERS_ARE_FALSE(Set.of("S1"), SEMAPHORE) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.FalseRenewals(store, it -> it.owner() != null);
    }
  },
  TOKENS_GO_BACK(Set.of("T1"), FAIR) {
    @Override
    Store wrap(Store store, Place place) {
      return new TokenMutant(store);
    }
  },
  SHARED_TOKENS_GO_BACK(Set.of("RW8"), RW) {
    @Override
    Store wrap(Store store, Place place) {
      return new TokenMutant(store);
    }
  },
  WAKE_UPS_ARE_LOST(Set.of("W1", "W9"), FAIR) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.LosesWakeUps(store);
    }
  },
  RELEASES_ARE_LOST(Set.of("W1", "W9"), SEMAPHORE) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.LosesReleases(store);
    }
  },
  ONE_CLIENT_STARVES(Set.of("W3", "W9"), LOCK) {
    @Override
    Store wrap(Store store, Place place) {
      return place.number() == 0 ? new GrantMutants.Starves(store) : store;
    }
  },
  LAST_IN_FIRST_OUT(Set.of("W2"), FAIR) {
    @Override
    Store wrap(Store store, Place place) {
      return new LastInFirstOut(store, place.stack());
    }
  },
  PERMITS_OVER_THE_LIMIT(Set.of("S1"), SEMAPHORE) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.ChangesClaims(
          store,
          claim ->
              GrantMutants.withShare(
                  claim, new Share(claim.share().permits(), claim.share().limit() + 1, false)));
    }
  },
  READER_BESIDE_WRITER(Set.of("RW1"), RW) {
    @Override
    Store wrap(Store store, Place place) {
      return new GrantMutants.ChangesClaims(
          store,
          claim ->
              claim.resource().kind() == ResourceKind.READ_WRITE_LOCK
                  ? GrantMutants.withShare(
                      claim, new Share(1, claim.share().limit(), claim.share().overtakes()))
                  : claim);
    }
  },
  UPDATES_ARE_LOST(Set.of("CO1"), COUNTER) {
    @Override
    Store wrap(Store store, Place place) {
      return new CellMutants.LosesUpdates(store);
    }
  },
  UPDATES_COUNT_TWICE(Set.of("CO1"), COUNTER) {
    @Override
    Store wrap(Store store, Place place) {
      return new CellMutants.AddsTwice(store);
    }
  },
  LATCHES_CLOSE_AGAIN(Set.of("LA2"), LATCH) {
    @Override
    Store wrap(Store store, Place place) {
      return new CellMutants.ReopensLatches(store, place.intruder().get());
    }
  };

  /**
   * Where a store is.
   *
   * @param number of the client, from 0
   * @param stack what all clients share
   * @param intruder opens another client's store at the same server
   */
  record Place(
      int number, LastInFirstOut.Stack stack, java.util.function.Supplier<Store> intruder) {}

  private final Set<String> promises;
  private final List<ResourceType> types;

  Mutant(Set<String> promises, ResourceType... types) {
    this.promises = promises;
    this.types = List.of(types);
  }

  /** Returns the promises of which one at least must be found broken. */
  Set<String> promises() {
    return promises;
  }

  /** Returns what is to be used to find out. */
  List<ResourceType> types() {
    return types;
  }

  abstract Store wrap(Store store, Place place);

  /** Returns the way to it for one client. */
  StoreFactory around(StoreFactory factory, int number, LastInFirstOut.Stack stack) {
    return context ->
        wrap(
            factory.open(context),
            new Place(number, stack, () -> factory.open(intruder(context, number))));
  }

  private static StoreContext intruder(StoreContext context, int number) {
    return new StoreContext(
        "intruder" + number,
        "intruder",
        context.namespace(),
        context.timings(),
        context.environment());
  }
}
