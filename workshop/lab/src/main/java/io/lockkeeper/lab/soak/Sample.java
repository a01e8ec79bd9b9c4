package io.lockkeeper.lab.soak;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What was there at one moment, the heap after a full collection.
 *
 * @param seconds since the run began
 * @param closed whether the clients were closed
 * @param uses how many uses of a resource have ended so far
 * @param timeouts how many of them waited in vain, as they should where others hold
 * @param errors how many ended otherwise
 * @param slowestMillis the longest use since the sample before, in milliseconds
 * @param heapBytes used memory of the heap
 * @param objects live instances of Lockkeeper's classes, those of this program included
 * @param residentBytes memory that the process takes
 * @param threads live threads
 * @param files open file descriptors
 * @param sockets those of them that are sockets
 * @param cpuSeconds processor time of this process so far
 * @param serverBytes the server's {@code used_memory}
 * @param serverKeys its keys
 * @param serverKeysThatStay its keys without a time to live
 * @param serverClients its connections, that of the one who asks included
 * @param serverChannels its channels with a subscriber
 * @param serverCpuSeconds processor time of the server so far
 */
public record Sample(
    double seconds,
    boolean closed,
    long uses,
    long timeouts,
    long errors,
    double slowestMillis,
    long heapBytes,
    long objects,
    long residentBytes,
    int threads,
    long files,
    int sockets,
    double cpuSeconds,
    long serverBytes,
    long serverKeys,
    long serverKeysThatStay,
    long serverClients,
    long serverChannels,
    double serverCpuSeconds) {

  private record Column(String name, ToDoubleFunction<Sample> value, int digits) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("seconds", Sample::seconds, 1),
          new Column("closed", s -> s.closed ? 1 : 0, 0),
          new Column("uses", Sample::uses, 0),
          new Column("timeouts", Sample::timeouts, 0),
          new Column("errors", Sample::errors, 0),
          new Column("slowest_ms", Sample::slowestMillis, 1),
          new Column("heap_bytes", Sample::heapBytes, 0),
          new Column("objects", Sample::objects, 0),
          new Column("resident_bytes", Sample::residentBytes, 0),
          new Column("threads", Sample::threads, 0),
          new Column("files", Sample::files, 0),
          new Column("sockets", Sample::sockets, 0),
          new Column("cpu_seconds", Sample::cpuSeconds, 1),
          new Column("server_bytes", Sample::serverBytes, 0),
          new Column("server_keys", Sample::serverKeys, 0),
          new Column("server_keys_that_stay", Sample::serverKeysThatStay, 0),
          new Column("server_clients", Sample::serverClients, 0),
          new Column("server_channels", Sample::serverChannels, 0),
          new Column("server_cpu_seconds", Sample::serverCpuSeconds, 1));

  /** Returns the first line of a table of samples, its columns separated by commas. */
  public static String header() {
    return String.join(",", COLUMNS.stream().map(Column::name).toList());
  }

  /** Returns the sample as a line of that table. */
  public String line() {
    return String.join(
        ",",
        COLUMNS.stream()
            .map(
                c -> String.format(Locale.ROOT, "%." + c.digits + "f", c.value.applyAsDouble(this)))
            .toList());
  }

  double minutes() {
    return seconds / 60;
  }
}
