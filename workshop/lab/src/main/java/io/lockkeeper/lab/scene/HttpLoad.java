package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.report.Histograms;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Users over HTTP. Each orders again when its last answer has come. */
final class HttpLoad {

  private static final Duration ANSWER_LIMIT = Duration.ofMinutes(2);
  private static final int OK = 200;
  private static final int LONGEST_REASON = 80;
  private static final long PROGRESS_MILLIS = 250;
  private static final int DIGITS = 2;

  private final HttpClient http;
  private final List<URI> targets;
  private final LoadPlan plan;
  private final AtomicLong done = new AtomicLong();
  private final CountDownLatch start = new CountDownLatch(1);
  private final Recorder recent = new Recorder(DIGITS);
  private final Histogram times = Histograms.create(); // guarded by this
  private final Map<String, Long> refused = new TreeMap<>(); // guarded by this

  /**
   * Creates it.
   *
   * @param targets where the orders go, in turn
   */
  HttpLoad(HttpClient http, List<URI> targets, LoadPlan plan) {
    this.http = http;
    this.targets = List.copyOf(targets);
    this.plan = plan;
  }

  LoadResult run(Consumer<LoadProgress> onProgress, Supplier<Books> books, List<Instance> instances)
      throws InterruptedException {
    List<Thread> users = new ArrayList<>();
    for (int i = 0; i < plan.users(); i++) {
      Thread user = new Thread(this::order, "lockkeeper-scene-user-" + (i + 1));
      user.setDaemon(true);
      users.add(user);
    }
    Collections.shuffle(users, new Random(plan.seed()));
    users.forEach(Thread::start);
    long begin = System.nanoTime();
    start.countDown();
    long told = begin;
    for (Thread user : users) {
      while (user.isAlive()) {
        user.join(PROGRESS_MILLIS);
        long now = System.nanoTime();
        if (now - told >= TimeUnit.MILLISECONDS.toNanos(PROGRESS_MILLIS)) {
          told = now;
          onProgress.accept(progress(now - begin, books));
        }
      }
    }
    long elapsed = System.nanoTime() - begin;
    long entered = 0;
    for (Instance instance : instances) {
      entered += instance.entered();
    }
    synchronized (this) {
      return new LoadResult(
          elapsed, done.get(), new TreeMap<>(refused), times.copy(), books.get(), entered);
    }
  }

  private LoadProgress progress(long elapsed, Supplier<Books> books) {
    long p99 = recent.getIntervalHistogram().getValueAtPercentile(99);
    return new LoadProgress(plan, done.get(), elapsed, p99, books);
  }

  private void order() {
    Histogram own = Histograms.create();
    try {
      start.await();
      for (int i = 0; i < plan.orders(); i++) {
        long begin = System.nanoTime();
        String refusal = send(targets.get(i % targets.size()));
        long nanos = System.nanoTime() - begin;
        Histograms.record(own, nanos);
        recent.recordValue(nanos);
        count(refusal);
      }
    } catch (InterruptedException e) {
      return; // the run ends
    }
    synchronized (this) {
      times.add(own);
    }
  }

  private String send(URI target) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(target).timeout(ANSWER_LIMIT).POST(BodyPublishers.noBody()).build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == OK) {
        return "";
      }
      String said = answer.statusCode() + " " + answer.body().strip();
      return said.length() <= LONGEST_REASON ? said : said.substring(0, LONGEST_REASON);
    } catch (IOException e) {
      return e.getClass().getSimpleName();
    }
  }

  private void count(String refusal) {
    if (refusal.isEmpty()) {
      done.incrementAndGet();
    } else {
      synchronized (this) {
        refused.merge(refusal, 1L, Long::sum);
      }
    }
  }

  /**
   * How far a load is.
   *
   * @param done orders that the service answered with 200
   * @param elapsedNanos since its beginning
   * @param p99Nanos of the answers since the last time
   * @param books asks the store what it says
   */
  record LoadProgress(
      LoadPlan plan, long done, long elapsedNanos, long p99Nanos, Supplier<Books> books) {

    double ordersPerSecond() {
      return elapsedNanos == 0 ? 0 : done * 1e9 / elapsedNanos;
    }
  }
}
