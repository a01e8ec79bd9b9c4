package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import java.util.ArrayList;
import java.util.List;

/** The limit of one resource in the middle of a step, and the latest requests that changed it. */
final class ResourceLimit {

  /**
   * How many changes of a limit the record names, so that one whose answer was lost is not made
   * twice.
   */
  private static final int CHANGES = 32;

  private final List<String> changes;
  private int permits;
  private boolean resized;
  private boolean changed;

  ResourceLimit(ResourceRecord doc) {
    this.changes = new ArrayList<>(doc.changes());
    this.permits = doc.limit();
    this.resized = doc.resized();
  }

  int permits() {
    return permits;
  }

  boolean isResized() {
    return resized;
  }

  /** Returns whether the record has to be written for it. */
  boolean isChanged() {
    return changed;
  }

  List<String> changes() {
    return changes;
  }

  /** Says the limit if nobody has. */
  void suggest(int suggested) {
    if (permits == Inspection.UNSET) {
      permits = suggested;
    }
  }

  /** Forgets a limit that belonged to claims which are all gone. */
  void forget() {
    if (!resized) {
      permits = Inspection.UNSET;
    }
  }

  /**
   * Changes the limit for good, or gives it up, unless that was done before.
   *
   * @param isWritten whether the step writes the record in any case
   */
  Resized resize(String client, ResizeRequest request, boolean isWritten) {
    String name = client + ' ' + request.number();
    if (changes.contains(name)) {
      return new Resized(true, permits);
    }
    long after = request.after(permits);
    if (!request.fits(after)) {
      return new Resized(false, permits);
    }
    boolean set = request.kind() != ResizeRequest.Kind.GIVE_UP;
    changed |= resized || set;
    if (isWritten || changed) {
      changes.add(name);
      changes.subList(0, Math.max(0, changes.size() - CHANGES)).clear();
    }
    resized = set;
    if (set) {
      permits = (int) after;
    }
    return new Resized(true, permits);
  }
}
