package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.lab.load.SubjectProvider;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What a worker has to do: the first line on its standard input, as JSON. After that come answers
 * of the guarded register, and {@value TortureWorkerCommand#STOP}.
 *
 * @param subject whose locks: {@value #OWN}, or what a {@link SubjectProvider} has
 * @param process what it is called in the history
 * @param storeUrl the store; may hold a password
 * @param laterUrl the same for the clients that it connects later
 * @param namespace the namespace of the round
 * @param folder where its history goes
 * @param threads how many threads it has
 * @param lease for how long a lease is asked
 * @param plan what they do
 */
record WorkerOrder(
    String subject,
    String process,
    String storeUrl,
    String laterUrl,
    String namespace,
    String folder,
    int threads,
    Duration lease,
    LoadPlan plan) {

  /** The locks of this product. */
  static final String OWN = "lockkeeper";

  Path historyFolder() {
    return Path.of(folder);
  }

  @Override
  public String toString() {
    return "WorkerOrder[" + process + "]";
  }
}
