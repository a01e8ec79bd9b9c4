package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.ServiceRow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * What a run of services is to do.
 *
 * @param rows the loads
 * @param contenders the locks that take part, in the order of their turns
 * @param processes how many processes the clients of a contender are in
 * @param rounds how many turns each contender has under each load
 * @param turn the length of one turn's window
 * @param warmUp how long each contender loops before its first turn under a load
 * @param idle how long clients are left alone; zero to leave that out
 * @param seed for pauses and names
 * @param jvmOptions for the workers
 * @param log where the workers' error streams go
 */
public record ServicesPlan(
    Collection<ServiceRow> rows,
    List<Contender> contenders,
    int processes,
    int rounds,
    Duration turn,
    Duration warmUp,
    Duration idle,
    long seed,
    List<String> jvmOptions,
    Path log) {}
