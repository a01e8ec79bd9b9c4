package io.lockkeeper.zookeeper;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A grant as the record of its resource has it.
 *
 * @param node the node of its first claim; when that is gone, so is its client's session. Of a lock
 *     that rests, a node of its own, which lasts
 * @param grant its number
 * @param claims the claims not withdrawn since
 * @param size how many claims it began with
 * @param permits how many permits it has
 * @param firstToken its first token; 0 until somebody has read it from the record
 * @param tokens how many tokens it has
 * @param leaseMillis how long it lasts from the writing of this stamp
 * @param stamp how often it was written anew: a new number means a new beginning of its lease
 * @param confirmed whether it has its full lease
 * @param covered whether it cannot be believed in for longer than its session lives
 * @param sinceMillis when it was made, on the wall clock of who made it: for people
 * @param label the thread that has it, for people; empty if that is not known here
 * @param card who its client is, as {@link ClientNodes} writes it, if its session may end before
 *     the grant does; else empty
 */
record Entry(
    NodeName node,
    long grant,
    List<Long> claims,
    int size,
    int permits,
    long firstToken,
    long tokens,
    long leaseMillis,
    int stamp,
    boolean confirmed,
    boolean covered,
    long sinceMillis,
    String label,
    String card) {

  /** Where in its line the card is, if there is one. */
  private static final int CARD = 14;

  /** Stands for a label that is the node's own: no encoded label has it. */
  private static final String OF_THE_NODE = "*";

  Entry {
    claims = List.copyOf(claims);
  }

  long lastToken() {
    return firstToken + tokens - 1;
  }

  boolean isOf(String client, long claim) {
    return node.client().equals(client) && grant == claim;
  }

  /** Returns whether it has tokens for more holders than it has claims: it passes on locally. */
  boolean hasTokensToSpare() {
    return tokens > size;
  }

  Entry withCard(String written) {
    return new Entry(
        node,
        grant,
        claims,
        size,
        permits,
        firstToken,
        tokens,
        leaseMillis,
        stamp,
        confirmed,
        covered,
        sinceMillis,
        label,
        written);
  }

  Entry withLabel(String newLabel) {
    return new Entry(
        node,
        grant,
        claims,
        size,
        permits,
        firstToken,
        tokens,
        leaseMillis,
        stamp,
        confirmed,
        covered,
        sinceMillis,
        newLabel,
        card);
  }

  Entry withFirstToken(long first) {
    return copy(claims, permits, first, leaseMillis, stamp, confirmed, covered);
  }

  Entry withPermits(int kept) {
    return copy(claims, kept, firstToken, leaseMillis, stamp, confirmed, covered);
  }

  Entry without(long claim) {
    List<Long> rest = new ArrayList<>(claims);
    rest.remove(claim);
    return copy(rest, permits, firstToken, leaseMillis, stamp, confirmed, covered);
  }

  /** Returns it with a lease that begins anew. */
  Entry stamped(long lease, boolean isConfirmed, boolean isCovered) {
    return copy(claims, permits, firstToken, lease, stamp + 1, isConfirmed, isCovered);
  }

  /** Returns what stands in its place while the lock rests: it has no holder and no tokens left. */
  Entry resting(NodeName its, long restMillis, String lastCard) {
    return new Entry(
        its,
        grant,
        List.of(grant),
        Math.toIntExact(tokens),
        permits,
        firstToken,
        tokens,
        restMillis,
        1,
        true,
        true,
        sinceMillis,
        label,
        lastCard);
  }

  private Entry copy(
      List<Long> newClaims,
      int newPermits,
      long first,
      long lease,
      int newStamp,
      boolean isConfirmed,
      boolean isCovered) {
    return new Entry(
        node,
        grant,
        newClaims,
        size,
        newPermits,
        first,
        tokens,
        lease,
        newStamp,
        isConfirmed,
        isCovered,
        sinceMillis,
        label,
        card);
  }

  String write() {
    StringBuilder text = new StringBuilder("g ").append(node.text()).append(' ').append(grant);
    text.append(' ');
    for (int i = 0; i < claims.size(); i++) {
      text.append(i == 0 ? "" : ",").append(claims.get(i));
    }
    for (long number : new long[] {size, permits, firstToken, tokens, leaseMillis, stamp}) {
      text.append(' ').append(number);
    }
    text.append(confirmed ? " c" : " -").append(covered ? " s" : " -");
    text.append(' ').append(sinceMillis);
    text.append(' ').append(label.equals(node.label()) ? OF_THE_NODE : NodeName.encoded(label));
    return card.isEmpty() ? text.toString() : text.append(' ').append(card).toString();
  }

  static Entry read(String line) {
    String[] fields = line.split(" ", -1);
    List<Long> claims = new ArrayList<>();
    for (String claim : fields[3].split(",", -1)) {
      claims.add(Long.parseLong(claim));
    }
    NodeName node = Objects.requireNonNull(NodeName.parse(fields[1]));
    return new Entry(
        node,
        Long.parseLong(fields[2]),
        claims,
        Integer.parseInt(fields[4]),
        Integer.parseInt(fields[5]),
        Long.parseLong(fields[6]),
        Long.parseLong(fields[7]),
        Long.parseLong(fields[8]),
        Integer.parseInt(fields[9]),
        fields[10].equals("c"),
        fields[11].equals("s"),
        Long.parseLong(fields[12]),
        fields[13].equals(OF_THE_NODE) ? node.label() : NodeName.decoded(fields[13]),
        fields.length > CARD ? fields[CARD] : "");
  }
}
