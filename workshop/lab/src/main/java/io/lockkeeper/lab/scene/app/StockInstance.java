package io.lockkeeper.lab.scene.app;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** One running instance of the stock service. */
final class StockInstance implements AutoCloseable {

  private final ConfigurableApplicationContext context;

  StockInstance(InstanceStart start, Turns turns) {
    SpringApplication application = new SpringApplication(StockApplication.class);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.setRegisterShutdownHook(false);
    application.setDefaultProperties(
        Map.of("server.port", 0, "server.address", "127.0.0.1", "logging.level.root", "warn"));
    application.addInitializers(
        made -> {
          made.getBeanFactory().registerSingleton("start", start);
          made.getBeanFactory().registerSingleton("turns", turns);
        });
    context = application.run();
  }

  @Nullable String port() {
    return context.getEnvironment().getProperty("local.server.port");
  }

  Desk desk() {
    return context.getBean(Desk.class);
  }

  @Override
  public void close() {
    context.close();
  }
}
