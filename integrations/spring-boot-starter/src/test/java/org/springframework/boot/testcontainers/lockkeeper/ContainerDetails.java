package org.springframework.boot.testcontainers.lockkeeper;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Stands for the details of a container, which extend a class in such a package. Of Boot 4. */
public final class ContainerDetails implements DataRedisConnectionDetails {

  private final String host;
  private final int port;

  private ContainerDetails(String host, int port) {
    this.host = host;
    this.port = port;
  }

  /** Adds the details of a Redis to an application. */
  public static ApplicationContextRunner addTo(
      ApplicationContextRunner application, String host, int port) {
    return application.withBean(
        "container", ContainerDetails.class, () -> new ContainerDetails(host, port));
  }

  @Override
  public Standalone getStandalone() {
    return Standalone.of(host, port);
  }
}
