package io.lockkeeper.lab.oversell.worker;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.strategy.GuardContext;
import io.lockkeeper.lab.oversell.strategy.Sellers;
import io.lockkeeper.lab.oversell.strategy.Strategies;
import java.io.PrintStream;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker: does what the coordinator's lines say, one after the other, and answers in lines. */
public final class Worker {

  private static final long PROGRESS_MILLIS = 200;

  private final BlockingQueue<String> lines;
  private final PrintStream out;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

  /** Replaced when the coordinator sends its seed, before anything is drawn. */
  private Random random = new Random(0);

  private @Nullable Sellers sellers;
  private @Nullable Round round;

  /**
   * Creates a worker.
   *
   * @param lines what the coordinator says
   * @param out where the answers go
   */
  public Worker(BlockingQueue<String> lines, PrintStream out) {
    this.lines = lines;
    this.out = out;
  }

  /** Works until told to close, and returns the exit status. */
  public int run() {
    try {
      boolean goOn = true;
      while (goOn) {
        goOn = obey(Messages.read(lines.take(), ToWorker.class));
      }
      return ExitStatus.OK;
    } catch (InterruptedException | RuntimeException e) {
      say(new FromWorker.Failed(Secrets.hide(reason(e))));
      return ExitStatus.CANNOT_RUN;
    } finally {
      timer.shutdownNow();
    }
  }

  private boolean obey(ToWorker message) throws InterruptedException {
    if (message instanceof ToWorker.Open open) {
      open(open);
      say(new FromWorker.Opened());
    } else if (message instanceof ToWorker.Prepare plan) {
      prepare(plan).prepare();
      say(new FromWorker.Prepared());
    } else if (message instanceof ToWorker.Go) {
      say(go());
    } else {
      close();
      return false;
    }
    return true;
  }

  private void open(ToWorker.Open open) {
    random = new Random(open.seed());
    sellers =
        Strategies.find(open.strategy())
            .orElseThrow(() -> new IllegalArgumentException("no strategy " + open.strategy()))
            .open(new GuardContext(open.storeUrl(), open.worker(), open.seed()));
  }

  private Round prepare(ToWorker.Prepare plan) {
    if (sellers == null) {
      throw new IllegalStateException("prepare before open");
    }
    Round prepared = new Round(plan, sellers.seller(new Article(plan.article())), random);
    round = prepared;
    return prepared;
  }

  private FromWorker go() throws InterruptedException {
    Round current = round;
    if (current == null) {
      throw new IllegalStateException("go before prepare");
    }
    ScheduledFuture<?> progress =
        timer.scheduleWithFixedDelay(
            () -> say(new FromWorker.Progress(current.done())),
            PROGRESS_MILLIS,
            PROGRESS_MILLIS,
            TimeUnit.MILLISECONDS);
    try {
      return current.run();
    } finally {
      progress.cancel(false);
    }
  }

  private void close() {
    if (sellers != null) {
      sellers.close();
    }
  }

  private void say(FromWorker message) {
    synchronized (out) {
      out.println(Messages.write(message));
      out.flush();
    }
  }

  private static String reason(Exception failure) {
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
