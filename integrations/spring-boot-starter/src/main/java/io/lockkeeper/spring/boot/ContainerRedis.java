package io.lockkeeper.spring.boot;

import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Tells whether a Redis was started by Testcontainers or Docker Compose for this application: it
 * has no locks from before, so there is nothing to wait for after its start.
 */
final class ContainerRedis {

  private static final String TESTCONTAINERS = "org.springframework.boot.testcontainers.";
  private static final String DOCKER_COMPOSE = "org.springframework.boot.docker.compose.";

  private ContainerRedis() {}

  /**
   * Returns whether connection details that come from Testcontainers or Docker Compose have the
   * address to which the factory connects.
   */
  static boolean isThrowaway(ListableBeanFactory beans, LettuceConnectionFactory factory) {
    String address = factory.getHostName() + ":" + factory.getPort();
    return Stream.of(beans.getBeanNamesForType(ConnectionDetails.class, true, false))
        .filter(name -> isOfContainer(beans.getType(name, false)))
        .anyMatch(name -> address.equals(address(beans.getBean(name))));
  }

  /** Whatever is made of a container extends a class of one of these, with each Spring Boot. */
  private static boolean isOfContainer(@Nullable Class<?> details) {
    for (Class<?> type = details; type != null; type = type.getSuperclass()) {
      if (type.getName().startsWith(TESTCONTAINERS) || type.getName().startsWith(DOCKER_COMPOSE)) {
        return true;
      }
    }
    return false;
  }

  /** Reads {@code getStandalone()}, whose type has another name in each Spring Boot. */
  private static @Nullable String address(Object details) {
    Object standalone = get(details, "getStandalone");
    return standalone == null
        ? null
        : get(standalone, "getHost") + ":" + get(standalone, "getPort");
  }

  private static @Nullable Object get(Object target, String getter) {
    Method method = ReflectionUtils.findMethod(target.getClass(), getter);
    if (method == null) {
      return null;
    }
    ReflectionUtils.makeAccessible(method);
    return ReflectionUtils.invokeMethod(method, target);
  }
}
