package io.lockkeeper.lab.torture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.LoadPlan;
import io.lockkeeper.lab.load.SubjectProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a worker has to do: the first line on its standard input, as JSON. After that only {@value
 * #STOP} may come.
 *
 * @param subject whose locks: {@value #OWN}, or what a {@link SubjectProvider} has
 * @param process what it is called in the history
 * @param storeUrl the store; may hold a password
 * @param laterUrl the same for the clients that it connects later
 * @param namespace the namespace of the round
 * @param folder where its history goes
 * @param registerPort where the guarded register listens, on 127.0.0.1
 * @param threads how many threads it has
 * @param kinds on which types of resources; one named twice is used twice as often
 * @param names how many resources of each type there are
 * @param leaseMillis for how long a lease is asked
 * @param rarely one hold in how many is longer than that
 * @param perSecond how many acquisitions each of them begins a second; 0: as many as it can
 * @param tries the share of acquisitions that do not wait but try again and again
 * @param seed for all that is random in it
 */
record WorkerOrder(
    String subject,
    String process,
    String storeUrl,
    String laterUrl,
    String namespace,
    String folder,
    int registerPort,
    int threads,
    List<ResourceType> kinds,
    int names,
    long leaseMillis,
    int rarely,
    double perSecond,
    double tries,
    long seed) {

  /** The locks of this product. */
  static final String OWN = "lockkeeper";

  /** The line that ends a worker. */
  static final String STOP = "stop";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LONGEST_HOLD = Duration.ofMillis(8);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(15);

  /** Who only tries holds and rests for a moment, so that names fall idle and begin again. */
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static final int PERMITS = 3;

  private static final ObjectMapper JSON = new ObjectMapper();

  String write() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static WorkerOrder read(String line) {
    try {
      return JSON.readValue(line, WorkerOrder.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an order", e);
    }
  }

  Path historyFolder() {
    return Path.of(folder);
  }

  Duration lease() {
    return Duration.ofMillis(leaseMillis);
  }

  LoadPlan plan() {
    boolean isOwn = subject.equals(OWN);
    return new LoadPlan(
        isOwn ? kinds : SubjectProvider.find(subject).types(subject),
        names,
        PERMITS,
        PATIENCE,
        tries < 1 ? LONGEST_HOLD : MOMENT,
        lease().multipliedBy(4).dividedBy(3),
        rarely,
        tries < 1 ? LONGEST_PAUSE : MOMENT,
        perSecond,
        tries,
        isOwn,
        seed);
  }

  @Override
  public String toString() {
    return "WorkerOrder[" + process + "]";
  }
}
