package io.lockkeeper.bench.coordinator;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/** Asks the operating system for the processor time of a server, its child processes included. */
final class ProcessProbe implements ServerProbe {

  private final long pid;
  private final DoubleSupplier requests;

  /**
   * Creates a probe.
   *
   * @param pid of the server's first process
   * @param requests how many requests it has had, or NaN
   */
  ProcessProbe(long pid, DoubleSupplier requests) {
    this.pid = pid;
    this.requests = requests;
  }

  @Override
  public Reading read() {
    long nanos =
        ProcessHandle.of(pid).stream()
            .flatMap(server -> Stream.concat(Stream.of(server), server.descendants()))
            .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
            .mapToLong(Duration::toNanos)
            .sum();
    return new Reading(
        requests.getAsDouble(), TimeUnit.NANOSECONDS.toMicros(nanos), Double.NaN, Double.NaN);
  }

  @Override
  public void close() {}
}
