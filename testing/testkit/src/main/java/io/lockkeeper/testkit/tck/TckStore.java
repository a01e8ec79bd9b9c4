package io.lockkeeper.testkit.tck;

import io.lockkeeper.SharedValue;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreTraits;
import java.net.URI;
import java.util.Optional;

/** A store under test, as one test sees it: how to reach it and what to look at in it. */
public interface TckStore extends AutoCloseable {

  /** Returns the way to the store. Called as often as the test opens clients. */
  StoreFactory factory();

  /** Returns a URL that leads to the same store. */
  String url();

  /**
   * Returns a URL of this store's kind, with the password {@code s3cret} in it if the kind has
   * passwords, and with a host and a port at which nobody answers; empty if URLs of this kind have
   * none.
   */
  Optional<String> unreachableUrl();

  /** Returns a URI with the host and the port at which nobody answers, as messages show them. */
  default URI unreachableAddress() {
    return URI.create(unreachableUrl().orElseThrow().replaceFirst("^jdbc:", ""));
  }

  /** Returns what {@link StoreTraits#pushes} says; what rests on notifications is then skipped. */
  default boolean pushes() {
    return true;
  }

  /** Returns whether the store can tell which of two claims for different names came later. */
  default boolean comparesArrivals() {
    return true;
  }

  /**
   * Makes a client of this store die as far as the store can tell without being asked anything: a
   * store that knows its clients by sessions has this one's end in its time. The others need to do
   * nothing: they count by what they are asked.
   */
  default void vanish(Store client) {}

  /**
   * Makes the store forget all locks, as if it had restarted empty. What the contract of its port
   * needs stays, such as a counter for the versions of all records.
   *
   * @return false if it cannot; the tests that need it are then skipped
   */
  boolean loseEverything();

  /**
   * Says what is left of a namespace, for people; empty if nothing but tombstones with a time to
   * live is.
   */
  String residue(String namespace);

  /** Returns how many bytes a shared value may have in this store; more than that is refused. */
  default int largestValue() {
    return SharedValue.MAX_BYTES;
  }

  @Override
  void close();
}
