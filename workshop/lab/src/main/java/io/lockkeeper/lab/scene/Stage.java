package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.Article;
import io.lockkeeper.lab.oversell.Books;
import io.lockkeeper.lab.oversell.CachedStock;
import io.lockkeeper.lab.oversell.RedisLine;
import io.lockkeeper.lab.oversell.Shop;
import io.lockkeeper.lab.scene.HttpLoad.LoadProgress;
import io.lockkeeper.lab.scene.app.InstanceStart;
import io.lockkeeper.lab.scene.app.Opening;
import io.lockkeeper.servers.NginxServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Where scenes take place: the instances of the service, what is in front of them, the stock. */
final class Stage implements AutoCloseable {

  private static final int INSTANCES = 2;
  private static final long PIECES = 3;
  private static final int WARM_UP_PART = 10;

  private final Map<Place, String> urls;
  private final Map<Place, Shop> shops = new EnumMap<>(Place.class);
  private final List<Instance> instances = new ArrayList<>();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String run;
  private final long seed;
  private final Consumer<String> say;
  private int articles;
  private boolean spoiled = true;
  private boolean isCold;

  /**
   * Opens it.
   *
   * @param urls of the stores, which are there
   * @param say hears what takes time
   */
  Stage(Map<Place, String> urls, long seed, Consumer<String> say) {
    this.urls = new EnumMap<>(urls);
    this.seed = seed;
    this.say = say;
    this.run = "lab-" + ProcessHandle.current().pid() + "-" + Long.toHexString(seed);
  }

  private Shop shop(Place place) {
    return shops.computeIfAbsent(place, it -> Shop.open(url(it)));
  }

  private String url(Place place) {
    return Optional.ofNullable(urls.get(place))
        .orElseThrow(() -> new CannotRunException("no " + place.title() + " has been started"));
  }

  /** Has the fault happen to the broken strategy, or to the cure. */
  HalfResult half(Scene scene, boolean broken) throws InterruptedException {
    String strategy = broken ? scene.broken() : scene.cure();
    Article article = newArticle();
    Shop shop = shop(scene.stock());
    shop.fill(article, PIECES);
    shop.fill(article.second(), PIECES);
    Marks marks = new Marks();
    try {
      List<Instance> ready = open(scene, strategy, article, scene.mishap().lease(), marks);
      Trial trial =
          new Trial(
              http,
              ready,
              article.name(),
              marks,
              broken,
              () -> expire(article),
              () -> timesLeft(article));
      spoiled = true;
      String what = scene.mishap().happen(trial);
      spoiled = scene.mishap().spoils() || !trial.orders().stream().allMatch(Order::isDone);
      Books books = shop.read(article);
      if (!broken && what.isEmpty()) {
        what = scene.mishap().shortfall(books, trial.orders());
      }
      return new HalfResult(strategy, broken, what, books.oversold(PIECES), books, trial.marks());
    } finally {
      if (spoiled) {
        closeInstances(); // an order that hangs may hold rows of the stock
      }
      shop.clear(article);
      shop.clear(article.second());
    }
  }

  /**
   * Puts a strategy of the scene under load. Instances that have just been started get a part of it
   * first, which does not count: otherwise a scene that comes after a kill would look slower.
   */
  LoadResult load(Scene scene, String strategy, LoadPlan plan, Consumer<LoadProgress> onProgress)
      throws InterruptedException {
    LoadPlan warmUp = plan.part(WARM_UP_PART);
    if ((spoiled || isCold) && plan.orders() >= WARM_UP_PART) {
      say.accept("warming the instances up");
      var unused = run(scene, strategy, warmUp, progress -> {});
      isCold = false;
    }
    return run(scene, strategy, plan, onProgress);
  }

  private LoadResult run(
      Scene scene, String strategy, LoadPlan plan, Consumer<LoadProgress> onProgress)
      throws InterruptedException {
    Article article = newArticle();
    Shop shop = shop(scene.stock());
    shop.fill(article, plan.stock());
    shop.fill(article.second(), plan.stock());
    try {
      List<Instance> ready =
          open(scene, strategy, article, scene.mishap().leaseUnderLoad(), new Marks());
      String path = "/stock/" + article.name() + "/deduct";
      try (NginxServer nginx = NginxServer.isInstalled() ? NginxServer.start(ports(ready)) : null) {
        List<URI> targets =
            (nginx == null ? ports(ready) : List.of(nginx.port()))
                .stream().map(port -> URI.create("http://127.0.0.1:" + port + path)).toList();
        return new HttpLoad(http, targets, plan).run(onProgress, () -> shop.read(article), ready);
      }
    } finally {
      shop.clear(article);
      shop.clear(article.second());
    }
  }

  private static List<Integer> ports(List<Instance> instances) {
    return instances.stream().map(Instance::port).toList();
  }

  private Article newArticle() {
    return new Article(run + "-" + ++articles);
  }

  private List<Instance> open(
      Scene scene, String strategy, Article article, Duration lease, Marks marks)
      throws InterruptedException {
    if (spoiled) {
      closeInstances();
      startInstances();
      spoiled = false;
      isCold = true;
    }
    List<Instance> ready = instances.subList(0, scene.instances());
    Opening opening =
        new Opening(
            strategy, scene.lock().name(), scene.stock().name(), article.name(), lease.toMillis());
    for (Instance instance : ready) {
      instance.open(opening, marks);
    }
    return List.copyOf(ready);
  }

  private void startInstances() throws InterruptedException {
    say.accept("starting " + INSTANCES + " instances of the service");
    Map<String, String> named = new TreeMap<>();
    urls.forEach((place, url) -> named.put(place.name(), url));
    for (int number = 1; number <= INSTANCES; number++) {
      instances.add(Instance.start(new InstanceStart(number, seed + number, named)));
    }
    for (Instance instance : instances) {
      instance.awaitStart();
      say.accept("instance " + instance.number() + " is up");
    }
  }

  private void expire(Article article) {
    try (RedisLine line = RedisLine.connect(url(Place.REDIS))) {
      line.connection().sync().pexpire(article.lockName(), 1);
    }
  }

  private List<Duration> timesLeft(Article article) {
    try (RedisLine line = RedisLine.connect(url(Place.REDIS))) {
      return CachedStock.keysInRedis(article).stream()
          .map(line.connection().sync()::pttl)
          .filter(millis -> millis >= 0)
          .map(Duration::ofMillis)
          .toList();
    }
  }

  private void closeInstances() {
    instances.forEach(Instance::close);
    instances.clear();
  }

  @Override
  public void close() {
    closeInstances();
    shops.values().forEach(Shop::close);
  }
}
