package io.lockkeeper;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The fencing token of a {@link QuorumLease}: one token from each node that holds it.
 *
 * <p>One number would not do. The tokens of one node grow, but two majorities need only share one
 * node, and the largest token of the earlier majority may be larger than all of the later one's. So
 * a token is compared node by node: of two holders the later has the larger token at every node
 * that both were held at, and there is always such a node.
 *
 * <p>A guarded system remembers the tokens that it has seen, and refuses an older one. It compares
 * and remembers in one atomic step:
 *
 * <pre>{@code
 * if (token.isOlderThan(seen)) {
 *   throw new IllegalStateException("a late write");
 * }
 * seen = seen.merge(token);
 * }</pre>
 */
public final class QuorumToken implements Serializable {

  private static final long serialVersionUID = 1L;

  private static final QuorumToken NONE = new QuorumToken(new long[0]);

  /** The token of each node; 0 where there is none. */
  private final long[] tokens;

  private QuorumToken(long[] tokens) {
    this.tokens = tokens;
  }

  /** Returns the value that a guarded system starts with: older than every token. */
  public static QuorumToken none() {
    return NONE;
  }

  /**
   * Returns a token made of one number per node, in the order in which the quorum was given its
   * clients.
   *
   * @param tokens the token of each node, 0 where there is none
   * @throws IllegalArgumentException if one is negative
   */
  public static QuorumToken of(List<Long> tokens) {
    long[] copy = tokens.stream().mapToLong(Long::longValue).toArray();
    for (long token : copy) {
      if (token < 0) {
        throw new IllegalArgumentException("a token must not be negative, was " + token);
      }
    }
    return new QuorumToken(copy);
  }

  /**
   * Parses the text that {@link #toString()} returns.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static QuorumToken parse(String text) {
    List<Long> tokens = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (!text.isEmpty()) {
        tokens.add(Long.parseLong(part));
      }
    }
    return of(tokens);
  }

  /** Returns the token of each node, 0 where there is none. */
  public List<Long> tokens() {
    List<Long> list = new ArrayList<>();
    for (long token : tokens) {
      list.add(token);
    }
    return List.copyOf(list);
  }

  /** Returns whether {@code other} has a larger token than this at any node of this token. */
  public boolean isOlderThan(QuorumToken other) {
    for (int node = 0; node < tokens.length; node++) {
      if (tokens[node] != 0 && tokens[node] < other.at(node)) {
        return true;
      }
    }
    return false;
  }

  /** Returns a token that has, for each node, the larger of the two. */
  public QuorumToken merge(QuorumToken other) {
    long[] merged = new long[Math.max(tokens.length, other.tokens.length)];
    for (int node = 0; node < merged.length; node++) {
      merged[node] = Math.max(at(node), other.at(node));
    }
    return new QuorumToken(merged);
  }

  private long at(int node) {
    return node < tokens.length ? tokens[node] : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuorumToken that && java.util.Arrays.equals(tokens, that.tokens);
  }

  @Override
  public int hashCode() {
    return java.util.Arrays.hashCode(tokens);
  }

  /** Returns the tokens separated by commas, such as {@code 17,0,12}. */
  @Override
  public String toString() {
    return tokens().stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
