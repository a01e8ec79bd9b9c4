package io.lockkeeper.servers.net;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The name of a namespace: it says whose it is, so that what a killed JVM has left can be told.
 *
 * @param pid the process that made it
 * @param subnet which of the subnets it uses
 * @param host which host it is; 0 is the switch between the hosts
 */
record NamespaceName(long pid, int subnet, int host) {

  private static final Pattern FORM =
      Pattern.compile("lockkeeper-(\\d{1,9})-(\\d{1,3})-(\\d{1,3})");

  /** Returns this name as it is in the list of all namespaces. */
  String text() {
    return "lockkeeper-%s-%s-%s".formatted(pid, subnet, host);
  }

  /** Returns whether nobody is there any more who could use it. */
  boolean isLeftOver() {
    return ProcessHandle.of(pid).isEmpty();
  }

  /** Returns those that there are. */
  static Stream<NamespaceName> all() {
    return IpTool.runHere("netns list").lines().flatMap(line -> parse(line).stream());
  }

  /** Reads a line of the list; a number may stand behind the name. */
  static Optional<NamespaceName> parse(String line) {
    Matcher matcher = FORM.matcher(line.strip().replaceFirst(" .*", ""));
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new NamespaceName(
            Long.parseLong(matcher.group(1)),
            Integer.parseInt(matcher.group(2)),
            Integer.parseInt(matcher.group(3))));
  }
}
