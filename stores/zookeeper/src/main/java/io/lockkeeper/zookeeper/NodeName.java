package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The name of a claim's node, which says all about the claim that does not change. So a list of
 * names is the whole queue, and a claim whose answer was lost is found again.
 *
 * @param text the name itself
 * @param waits whether it stands in the queue; otherwise it was granted at once
 * @param client whose claim it is
 * @param session the session that made it: a client's next session does not take it for its own
 * @param claim the claim's number
 * @param leaseMillis the lease that it asks for
 * @param tokens how many tokens
 * @param share how much of the resource
 * @param label whose request it is, for people
 * @param attempt a number that the client gives to no other node in this session. So no name ever
 *     comes back, also where a claim is made again: {@link Snapshot#anchor} rests on that
 * @param sequence its place among those that wait, as a number that may wrap
 */
record NodeName(
    String text,
    boolean waits,
    String client,
    long session,
    long claim,
    long leaseMillis,
    int tokens,
    Share share,
    String label,
    long attempt,
    int sequence) {

  /** The order of arrival. Differences stay small, so they do not wrap where numbers do. */
  static final Comparator<NodeName> ARRIVAL = (a, b) -> a.sequence - b.sequence;

  /** The beginning of the name of a node that keeps its parent from being taken for empty. */
  static final String KEEP = "keep.";

  private static final int FIELDS = 12;

  /** Names of nodes do not say whose children they are. */
  private static final String NO_NAME = "-";

  /** Returns the name for a claim, to which ZooKeeper adds a sequence number if it is to wait. */
  static String of(boolean waits, String client, long session, long attempt, ClaimRequest request) {
    Share share = request.share();
    return String.join(
        ".",
        waits ? "q" : "g",
        client,
        Long.toString(session, 36),
        Long.toString(request.claim(), 36),
        Long.toString(request.leaseMillis(), 36),
        Integer.toString(request.tokens(), 36),
        Integer.toString(share.permits(), 36),
        Integer.toString(share.limit(), 36),
        share.overtakes() ? "o" : "t",
        encoded(request.label()),
        Long.toString(attempt, 36),
        waits ? "" : "0");
  }

  /**
   * Returns a new name for the node of a lock that rests, in the place of this one's. Its client
   * {@linkplain Inspection.Holder#resting does not exist}; the session is that of its maker.
   */
  String resting(long restMillis, long makersAttempt) {
    ClaimRequest request =
        new ClaimRequest(ResourceId.lock(NO_NAME), claim, restMillis, tokens, false, share, label);
    return of(false, Inspection.Holder.resting(client), session, makersAttempt, request);
  }

  /** Returns a label as it can stand in a name. */
  static String encoded(String label) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(label.getBytes(StandardCharsets.UTF_8));
  }

  static String decoded(String label) {
    return new String(Base64.getUrlDecoder().decode(label), StandardCharsets.UTF_8);
  }

  /** Returns a new name for a node that keeps its parent. */
  static String keep(long session, long attempt) {
    return KEEP + Long.toString(session, 36) + "." + Long.toString(attempt, 36);
  }

  /** Reads a name; returns null for one that is not a claim's. */
  static @Nullable NodeName parse(String text) {
    String[] fields = text.split("\\.", -1);
    if (fields.length != FIELDS || !(fields[0].equals("q") || fields[0].equals("g"))) {
      return null;
    }
    try {
      Share share =
          new Share(
              Integer.parseInt(fields[6], 36),
              Integer.parseInt(fields[7], 36),
              fields[8].equals("o"));
      return new NodeName(
          text,
          fields[0].equals("q"),
          fields[1],
          Long.parseLong(fields[2], 36),
          Long.parseLong(fields[3], 36),
          Long.parseLong(fields[4], 36),
          Integer.parseInt(fields[5], 36),
          share,
          decoded(fields[9]),
          Long.parseLong(fields[10], 36),
          Integer.parseInt(fields[11]));
    } catch (IllegalArgumentException foreign) {
      return null;
    }
  }

  /** Returns whether a claim directly behind this one is granted together with it. */
  boolean belongsWith(NodeName next) {
    return next.belongsTo(client, session) && next.leaseMillis == leaseMillis;
  }

  boolean belongsTo(String otherClient, long otherSession) {
    return client.equals(otherClient) && session == otherSession;
  }

  boolean isResting() {
    return Inspection.Holder.isResting(client);
  }

  int permits() {
    return share.permits();
  }
}
