package io.lockkeeper.lab.scene;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.console.LocalPage;
import io.lockkeeper.console.LocalPage.Answer;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.scene.HttpLoad.LoadProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The page on which scenes are run and watched, for people at this machine. */
final class ScenePage implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_USERS = 1_000;
  private static final int MOST_ORDERS = 10_000;
  private static final int ACCEPTED = 202;
  private static final int BAD_REQUEST = 400;
  private static final int CONFLICT = 409;

  private final Stores stores;
  private final LoadPlan plan;
  private final LocalPage page;
  private final AtomicBoolean busy = new AtomicBoolean();

  private ScenePage(Stores stores, LoadPlan plan) {
    this.stores = stores;
    this.plan = plan;
    this.page = LocalPage.open(0, "lockkeeper-scene-page", this::answer, () -> "");
  }

  /**
   * Opens it.
   *
   * @param plan what is suggested
   */
  static ScenePage open(Stores stores, LoadPlan plan) {
    return new ScenePage(stores, plan);
  }

  String url() {
    return page.url();
  }

  private @Nullable Answer answer(String request, byte[] body) throws IOException {
    return switch (request) {
      case "GET " -> Answer.page(SceneReport.livePage(plan));
      case "POST run" -> run(body);
      default -> null;
    };
  }

  private Answer run(byte[] body) throws IOException {
    List<Scene> scenes = new ArrayList<>();
    LoadPlan wanted;
    try {
      JsonNode wish = JSON.readTree(body);
      for (JsonNode name : wish.path("scenes")) {
        scenes.add(
            Scenes.find(name.asText())
                .orElseThrow(() -> new IllegalArgumentException("no such scene")));
      }
      int users = within(wish.path("users").asInt(-1), 1, MOST_USERS);
      int orders = within(wish.path("orders").asInt(-1), 0, MOST_ORDERS);
      within(scenes.size(), 1, Scenes.list().size());
      wanted = new LoadPlan(users, orders, Math.max(1L, (long) users * orders), plan.seed());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Answer.text(BAD_REQUEST, "wanted: scenes, users and orders");
    }
    if (!busy.compareAndSet(false, true)) {
      return Answer.text(CONFLICT, "scenes are being shown");
    }
    page.execute(() -> show(scenes, wanted));
    return Answer.text(ACCEPTED, "");
  }

  private static int within(int number, int min, int max) {
    if (number < min || number > max) {
      throw new IllegalArgumentException("not within " + min + " to " + max);
    }
    return number;
  }

  private void show(List<Scene> scenes, LoadPlan wanted) {
    try {
      tell("start", SceneReport.facts(wanted));
      Stores.show(stores, scenes, wanted, new Teller());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the page closes
    } catch (RuntimeException e) {
      tell("failed", Secrets.messageOf(e));
    } finally {
      busy.set(false);
      tell("end", "");
    }
  }

  private void tell(String event, Object data) {
    page.send(LocalPage.event(event, Messages.write(data)));
  }

  @Override
  public void close() {
    page.close();
  }

  /** Tells those who watch. */
  private final class Teller implements SceneListener {
    @Override
    public void said(String line) {
      tell("said", line);
    }

    @Override
    public void skipped(Scene scene, String why) {
      tell("said", scene.name() + " is left out: " + why);
    }

    @Override
    public void began(Scene scene) {
      tell("began", scene.name());
    }

    @Override
    public void happened(Scene scene, HalfResult half) {
      tell("half", Map.of("scene", scene.name(), "half", SceneReport.lanes(half)));
    }

    @Override
    public void progressed(Scene scene, LoadProgress progress) {
      Books books = progress.books().get();
      LoadPlan load = progress.plan();
      // An order on its way is recorded and not yet off the stock, which is no overselling yet.
      long oversold = Math.max(0, books.oversold(load.stock()) - load.users());
      tell(
          "load",
          Map.of(
              "scene", scene.name(),
              "stock", load.stock(),
              "done", progress.done(),
              "total", load.total(),
              "seconds", progress.elapsedNanos() / 1e9,
              "perSecond", progress.ordersPerSecond(),
              "p99Millis", progress.p99Nanos() / 1e6,
              "stockLeft", books.stockLeft(),
              "oversold", oversold));
    }

    @Override
    public void ended(SceneResult result) {
      tell("result", SceneReport.forPage(result));
    }
  }
}
