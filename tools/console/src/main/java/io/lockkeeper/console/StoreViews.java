package io.lockkeeper.console;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.console.ConsoleStore.Namespaces;
import io.lockkeeper.console.LocalPage.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The views of all stores of a console, by their numbers: first those that it began with, then the
 * namespaces that somebody has chosen. What was chosen once stays, for all who look.
 */
final class StoreViews {

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;

  /** A namespace of one of the stores that the console began with. */
  private record Choice(int store, String namespace) {}

  private final List<StoreView> views = new CopyOnWriteArrayList<>();
  private final ConsoleOptions options;
  private final ReentrantLock choosing = new ReentrantLock();

  /** The number of the view of each that is shown; guarded by {@link #choosing}. */
  private final Map<Choice, Integer> shown = new HashMap<>();

  StoreViews(List<ConsoleStore> stores, ConsoleOptions options) {
    this.options = options;
    for (ConsoleStore store : stores) {
      int number = add(store);
      store
          .namespaces()
          .ifPresent(namespaces -> shown.put(new Choice(number, namespaces.own()), number));
    }
  }

  private int add(ConsoleStore store) {
    int number = views.size();
    views.add(new StoreView(store, number, options));
    return number;
  }

  /** Returns them, in the order of their numbers. */
  List<StoreView> all() {
    return views;
  }

  /** Returns the namespaces of a store, of which one may be chosen. */
  Answer namespaces(int store, ConsoleView.JsonWriter writer) {
    if (opener(store) == null) {
      return notForChoice();
    }
    try {
      List<String> namespaces = views.get(store).store().keeper().admin().namespaces();
      return new Answer(OK, "application/json", writer.write(namespaces));
    } catch (LockkeeperException e) {
      return StoreView.unavailable(e);
    }
  }

  /** Shows a namespace of a store too, and returns the number by which it is known. */
  Answer choose(int store, String namespace) {
    Function<String, ConsoleStore> opener = opener(store);
    if (opener == null) {
      return notForChoice();
    }
    Choice choice = new Choice(store, namespace);
    choosing.lock();
    try {
      Integer number = shown.get(choice);
      if (number == null) {
        number = add(opener.apply(namespace));
        shown.put(choice, number);
      }
      return Answer.text(OK, String.valueOf(number));
    } catch (IllegalArgumentException e) {
      return Answer.text(BAD_REQUEST, Secrets.hide(String.valueOf(e.getMessage())));
    } finally {
      choosing.unlock();
    }
  }

  private @Nullable Function<String, ConsoleStore> opener(int store) {
    return views.get(store).store().namespaces().map(Namespaces::open).orElse(null);
  }

  private static Answer notForChoice() {
    return Answer.text(FORBIDDEN, "this console shows one namespace of that store");
  }

  /** Returns the number that a request has, if it is that of a view; else -1. */
  int number(String text) {
    return IntStream.range(0, views.size())
        .filter(number -> text.equals(String.valueOf(number)))
        .findFirst()
        .orElse(-1);
  }
}
