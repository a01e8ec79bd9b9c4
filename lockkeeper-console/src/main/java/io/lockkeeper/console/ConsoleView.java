package io.lockkeeper.console;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.console.LocalPage.Answer;
import io.lockkeeper.spi.Finding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The view of a console, whoever serves its page: a {@link Console} or an application. All data are
 * maps, lists, texts, numbers and booleans, for any writer of JSON.
 *
 * <p>All who look share the looks at the store. A look costs the store little however many
 * resources there are, because it asks about some of them only; and it is followed by a pause of
 * twenty times what it took, or of the refresh interval if that is longer.
 */
public final class ConsoleView {

  private static final int PAUSES_PER_LOOK = 20;
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;

  private final Lockkeeper keeper;
  private final String title;
  private final ConsoleOptions options;
  private final Survey survey;
  private final ReentrantLock looking = new ReentrantLock();
  private final ReentrantLock examining = new ReentrantLock();
  private volatile @Nullable Map<String, @Nullable Object> latest;

  /** When the store may be looked at again. */
  private volatile long nextLook = System.nanoTime();

  /**
   * Creates a view. It does not close the client.
   *
   * @param title names the store, without any secret
   * @param options of which the port does not matter
   */
  public ConsoleView(Lockkeeper keeper, String title, ConsoleOptions options) {
    this.keeper = keeper;
    this.title = title;
    this.options = options;
    this.survey = new Survey(keeper);
  }

  /**
   * Returns the page. Its script has the attribute {@link LocalPage#SCRIPT_MARK}, which is to be
   * replaced by a nonce. It asks below the path at which it is served: with {@code GET} for {@code
   * about} and {@code events}, or {@code state} if the script has an attribute {@code data-poll};
   * with {@code POST} for {@code release} and {@code doctor}.
   */
  public static String html() {
    try (InputStream in = ConsoleView.class.getResourceAsStream("console.html")) {
      if (in == null) {
        throw new IllegalStateException("console.html is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what does not change: which store it is, and what the page may do. */
  public Map<String, Object> about() {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("title", title);
    about.put("mayRelease", options.audit().isPresent());
    about.put("mayExamine", options.doctor().isPresent());
    about.put("refresh", options.refresh().toMillis());
    return about;
  }

  /**
   * Returns what is to be seen. Looks at the store, unless the last look was just now or another
   * thread looks. If the store does not answer, that is all it returns, as {@code away}.
   */
  public Map<String, @Nullable Object> state() {
    Map<String, @Nullable Object> known = latest;
    if (known != null && (nextLookIn() > 0 || looking.isLocked())) {
      return known;
    }
    looking.lock();
    try {
      known = latest;
      if (known == null || nextLookIn() <= 0) {
        known = look();
        latest = known;
      }
      return known;
    } finally {
      looking.unlock();
    }
  }

  /** Returns in how many nanoseconds the store may be looked at again. */
  long nextLookIn() {
    return nextLook - System.nanoTime();
  }

  private Map<String, @Nullable Object> look() {
    long begin = System.nanoTime();
    long taken = 0;
    try {
      survey.look();
      taken = System.nanoTime() - begin;
      return new Snapshot(survey).data(options.mostListed());
    } catch (LockkeeperException e) { // a store that is away did not work for it
      return away(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return away(e.toString());
    } finally {
      long pause = Math.max(options.refresh().toNanos(), PAUSES_PER_LOOK * taken);
      nextLook = System.nanoTime() + pause;
    }
  }

  private Map<String, @Nullable Object> away(String message) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("away", options.hiding().apply(message));
    return data;
  }

  /**
   * Ends a hold, if its name is given once more; what has changed since is left alone.
   *
   * @param who does it, for the audit
   * @param kind the name of a {@link ResourceKind}
   * @param again the name once more
   */
  public Answer release(
      String who, String kind, String name, String clientId, String grant, String again) {
    Consumer<String> audit = options.audit().orElse(null);
    if (audit == null) {
      return Answer.text(FORBIDDEN, "this console may change nothing");
    }
    ResourceKind wanted;
    long number;
    try {
      wanted = ResourceKind.valueOf(kind);
      number = Long.parseLong(grant);
    } catch (IllegalArgumentException e) {
      return Answer.text(BAD_REQUEST, "wanted: kind, name, clientId, grant, and the name again");
    }
    if (!again.equals(name)) {
      return Answer.text(BAD_REQUEST, "the name does not match: nothing was released");
    }
    try {
      Optional<HolderReport> holder =
          keeper.inspect(wanted, name).holders().stream()
              .filter(each -> each.grant() == number)
              .filter(each -> each.client().id().equals(clientId))
              .findFirst();
      boolean isReleased = holder.isPresent() && keeper.forceRelease(holder.get());
      audit.accept(
          "%s %s forces the release of %s, held by %s with token %s: %s"
              .formatted(
                  Instant.now(),
                  printable(who),
                  wanted + " '" + printable(name) + "'",
                  holder.map(each -> each.client().toString()).orElse("nobody like that"),
                  holder.map(each -> String.valueOf(each.token())).orElse("?"),
                  isReleased ? "released" : "nothing changed"));
      return isReleased
          ? Answer.text(OK, "released")
          : Answer.text(CONFLICT, "it is held by somebody else by now: nothing was released");
    } catch (LockkeeperException e) {
      return unavailable(e);
    }
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private Answer unavailable(Exception failure) {
    String message = failure.getMessage();
    return Answer.text(
        UNAVAILABLE, options.hiding().apply(message == null ? failure.toString() : message));
  }

  /**
   * Examines the store, which tries its operations under names of their own.
   *
   * @param writer makes JSON of what was found
   */
  Answer examine(JsonWriter writer) {
    Callable<List<Finding>> doctor = options.doctor().orElse(null);
    if (doctor == null) {
      return Answer.text(FORBIDDEN, "this console has no doctor");
    } else if (!examining.tryLock()) {
      return Answer.text(CONFLICT, "the store is being examined");
    }
    try {
      List<Map<String, String>> found = doctor.call().stream().map(ConsoleView::finding).toList();
      return new Answer(OK, "application/json", writer.write(found));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the page closes
      return Answer.text(UNAVAILABLE, "the page closes");
    } catch (Exception e) { // whatever the caller's own doctor throws
      return unavailable(e);
    } finally {
      examining.unlock();
    }
  }

  /** Makes JSON. */
  @FunctionalInterface
  interface JsonWriter {
    String write(Object data);
  }

  private static Map<String, String> finding(Finding finding) {
    Map<String, String> data = new LinkedHashMap<>();
    data.put("verdict", finding.verdict().name().toLowerCase(Locale.ROOT));
    data.put("check", finding.subject());
    data.put("found", finding.found());
    data.put("advice", finding.advice());
    return data;
  }
}
