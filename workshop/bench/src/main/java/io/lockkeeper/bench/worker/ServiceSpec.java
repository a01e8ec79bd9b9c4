package io.lockkeeper.bench.worker;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.ServiceRow;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one worker process does in a turn of a contest of services.
 *
 * @param contender the kind of lock
 * @param row the load of all processes together
 * @param processes how many processes share it
 * @param process which of them this is, from 0; it has every so many-th client
 * @param paused whether its threads pause; without, they loop, to warm up
 * @param seed for pauses and names
 */
public record ServiceSpec(
    Contender contender, ServiceRow row, int processes, int process, boolean paused, long seed) {

  /** Returns which of the row's clients are in this process. */
  List<Integer> clients() {
    return IntStream.range(0, row.allClients())
        .filter(client -> client % processes == process)
        .boxed()
        .toList();
  }

  /** Returns the names of the locks. */
  List<String> names() {
    return IntStream.range(0, row.names())
        .mapToObj(i -> "service:" + row + ":" + contender + ":" + i)
        .toList();
  }

  /** Returns what a thread of a client does, the same in every process and for every contender. */
  Schedule schedule(int client, int thread) {
    boolean isRestless = client >= row.clients();
    return new Schedule(
        seed + (long) client * row.threads() + thread,
        paused && !isRestless ? row.pauseMillis() : 0,
        row.names());
  }
}
