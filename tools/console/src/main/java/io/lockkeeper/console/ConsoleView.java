package io.lockkeeper.console;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.console.LocalPage.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The view of a console, whose page a {@link Console} or an application serves. All data are maps,
 * lists, texts, numbers and booleans, for any writer of JSON.
 *
 * <p>It shows one or several stores, each for itself: one that is away or slow keeps nobody from
 * seeing the others. All who look share the looks at a store. A look costs the store little however
 * many resources there are, because it asks about some of them only; and it is followed by a pause
 * of twenty times what it took, or of the refresh interval if that is longer.
 */
public final class ConsoleView {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;

  private final String title;
  private final StoreViews stores;
  private final ConsoleOptions options;

  /**
   * Creates a view.
   *
   * @param title of the page, without any secret
   * @param stores one at least, in the order in which they are known by their numbers, from 0
   * @param options of which the port does not matter
   */
  public ConsoleView(String title, List<ConsoleStore> stores, ConsoleOptions options) {
    if (stores.isEmpty()) {
      throw new IllegalArgumentException("a console shows one store at least");
    }
    this.title = title;
    this.options = options;
    this.stores = new StoreViews(stores, options);
  }

  /**
   * Returns the page. Its script has the attribute {@link LocalPage#SCRIPT_MARK}, which is to be
   * replaced by a nonce. It asks below the path at which it is served: with {@code GET} for {@code
   * about} and {@code events}; if the script has an attribute {@code data-poll}, and there are no
   * events, for {@code state/NUMBER} of each store every so many milliseconds; with {@code POST}
   * for {@code release} and {@code doctor/NUMBER}, and where namespaces may be chosen for {@code
   * namespaces/NUMBER} and {@code namespace}.
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

  /** Returns which stores there are, to which others may be added, and what the page may do. */
  public Map<String, Object> about() {
    Map<String, Object> about = new LinkedHashMap<>();
    about.put("title", title);
    about.put("mayRelease", options.audit().isPresent());
    about.put("refresh", options.refresh().toMillis());
    about.put("stores", stores.all().stream().map(StoreView::about).toList());
    return about;
  }

  /** Returns how many stores there are. */
  public int size() {
    return stores.all().size();
  }

  /** Returns whether there is a store of this number. */
  public boolean has(int store) {
    return store >= 0 && store < size();
  }

  /**
   * Returns what is to be seen of a store. Looks at it, unless the last look was just now or
   * another thread looks. If the store does not answer, it returns no more than its number and why,
   * as {@code away}.
   *
   * @param store its number
   * @throws IndexOutOfBoundsException if there is no such store
   */
  public Map<String, @Nullable Object> state(int store) {
    return stores.all().get(store).state();
  }

  /** Returns in how many nanoseconds a store may be looked at again. */
  long nextLookIn(int store) {
    return stores.all().get(store).nextLookIn();
  }

  /**
   * Ends a hold, if its name is given once more; what has changed since is left alone.
   *
   * @param who does it, for the audit
   * @param store the number of its store
   * @param kind the name of a {@link ResourceKind}
   * @param again the name once more
   */
  public Answer release(
      String who,
      int store,
      String kind,
      String name,
      String clientId,
      String grant,
      String again) {
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
      return incomplete();
    }
    if (!has(store)) {
      return incomplete();
    } else if (!again.equals(name)) {
      return Answer.text(BAD_REQUEST, "the name does not match: nothing was released");
    }
    ConsoleStore where = stores.all().get(store).store();
    Lockkeeper keeper = where.keeper();
    try {
      Optional<HolderReport> holder =
          keeper.admin().inspect(wanted, name).holders().stream()
              .filter(each -> each.grant() == number)
              .filter(each -> each.client().id().equals(clientId))
              .findFirst();
      // People compare the line's time with other logs; nothing is decided by it.
      String attempt =
          "%s %s forces the release of %s%s, held by %s with token %s: "
              .formatted(
                  Instant.now(),
                  printable(who),
                  wanted + " '" + printable(name) + "'",
                  size() > 1 ? " in " + printable(where.name()) : "",
                  holder.map(each -> each.client().toString()).orElse("nobody like that"),
                  holder.map(each -> String.valueOf(each.token())).orElse("?"));
      return release(keeper, holder, outcome -> audit.accept(attempt + outcome));
    } catch (LockkeeperException e) {
      return StoreView.unavailable(e);
    }
  }

  private static Answer release(
      Lockkeeper keeper, Optional<HolderReport> holder, Consumer<String> audit) {
    boolean isReleased;
    try {
      isReleased = holder.isPresent() && keeper.admin().forceRelease(holder.get());
    } catch (LockkeeperException e) {
      audit.accept(
          "perhaps released, " + printable(Secrets.messageOf(e))); // only the answer may be lost
      throw e;
    }
    audit.accept(isReleased ? "released" : "nothing changed");
    return isReleased
        ? Answer.text(OK, "released")
        : Answer.text(CONFLICT, "it is held by somebody else by now: nothing was released");
  }

  private static Answer incomplete() {
    return Answer.text(
        BAD_REQUEST, "wanted: store, kind, name, clientId, grant, and the name again");
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /**
   * Examines a store, which tries its operations under names of their own.
   *
   * @param store its number, in decimal digits
   * @param writer makes JSON of what was found
   * @return null if there is no such store
   */
  @Nullable Answer examine(String store, JsonWriter writer) {
    int number = stores.number(store);
    return number < 0 ? null : stores.all().get(number).examine(writer);
  }

  /**
   * Returns the namespaces of a store that has some to choose from. May cost the store a look at
   * everything that it has.
   *
   * @param store its number, in decimal digits
   * @param writer makes JSON of their names
   * @return null if there is no such store
   */
  @Nullable Answer namespaces(String store, JsonWriter writer) {
    int number = stores.number(store);
    return number < 0 ? null : stores.namespaces(number, writer);
  }

  /**
   * Shows a namespace of a store besides what is shown. Returns the number by which it is known
   * from now on, as text.
   *
   * @param store the number of the store
   */
  Answer choose(int store, String namespace) {
    return has(store)
        ? stores.choose(store, namespace)
        : Answer.text(BAD_REQUEST, "wanted: store and namespace");
  }

  /** Makes JSON. */
  @FunctionalInterface
  interface JsonWriter {
    String write(Object data);
  }
}
