package io.lockkeeper.quarkus.deployment;

import io.lockkeeper.quarkus.Locked;
import io.lockkeeper.quarkus.LockedInterceptor;
import io.lockkeeper.quarkus.LockkeeperMetricsProducer;
import io.lockkeeper.quarkus.LockkeeperProducer;
import io.lockkeeper.quarkus.LockkeeperReadiness;
import io.lockkeeper.spi.StoreProvider;
import io.quarkus.arc.deployment.AdditionalBeanBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem;
import io.quarkus.arc.deployment.ValidationPhaseBuildItem.ValidationErrorBuildItem;
import io.quarkus.deployment.annotations.BuildProducer;
import io.quarkus.deployment.annotations.BuildStep;
import io.quarkus.deployment.builditem.CombinedIndexBuildItem;
import io.quarkus.deployment.builditem.FeatureBuildItem;
import io.quarkus.deployment.builditem.nativeimage.RuntimeInitializedPackageBuildItem;
import io.quarkus.deployment.builditem.nativeimage.ServiceProviderBuildItem;
import io.quarkus.deployment.metrics.MetricsCapabilityBuildItem;
import io.quarkus.deployment.pkg.builditem.CurateOutcomeBuildItem;
import io.quarkus.maven.dependency.ResolvedDependency;
import io.quarkus.runtime.metrics.MetricsFactory;
import io.quarkus.smallrye.health.deployment.spi.HealthBuildItem;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import org.jboss.jandex.AnnotationInstance;
import org.jboss.jandex.AnnotationTarget;
import org.jboss.jandex.MethodInfo;

/** Makes the beans known, and checks each {@link Locked}. */
final class LockkeeperProcessor {

  LockkeeperProcessor() {}

  @BuildStep
  FeatureBuildItem feature() {
    return new FeatureBuildItem("lockkeeper");
  }

  @BuildStep
  AdditionalBeanBuildItem beans() {
    return AdditionalBeanBuildItem.builder()
        .addBeanClasses(Locked.class, LockedInterceptor.class, LockkeeperProducer.class)
        .setUnremovable()
        .build();
  }

  @BuildStep
  HealthBuildItem health() {
    return new HealthBuildItem(LockkeeperReadiness.class.getName(), true);
  }

  @BuildStep
  void metrics(
      Optional<MetricsCapabilityBuildItem> metrics, BuildProducer<AdditionalBeanBuildItem> beans) {
    if (metrics.isPresent() && metrics.get().metricsSupported(MetricsFactory.MICROMETER)) {
      beans.produce(AdditionalBeanBuildItem.unremovableOf(LockkeeperMetricsProducer.class));
    }
  }

  @BuildStep
  void check(
      CombinedIndexBuildItem index,
      ValidationPhaseBuildItem validation,
      BuildProducer<ValidationErrorBuildItem> errors) {
    for (AnnotationInstance locked : index.getIndex().getAnnotations(Locked.class)) {
      try {
        check(locked.target());
      } catch (IllegalStateException e) {
        errors.produce(new ValidationErrorBuildItem(e));
      }
    }
  }

  private static void check(AnnotationTarget target) {
    if (target.kind() == AnnotationTarget.Kind.METHOD) {
      MethodInfo method = target.asMethod();
      String name = method.declaringClass().simpleName() + "." + method.name();
      if (Modifier.isPrivate(method.flags()) || Modifier.isStatic(method.flags())) {
        throw new IllegalStateException("@Locked method " + name + " is private or static");
      }
      read(method);
    } else if (!target.asClass().name().toString().equals(LockedInterceptor.class.getName())) {
      throw new IllegalStateException("@Locked belongs on a method, and is on " + target);
    }
  }

  /** Loads the application's class, of which nothing runs. */
  private static void read(MethodInfo method) {
    String type = method.declaringClass().name().toString();
    try {
      Class<?> loaded = Class.forName(type, false, Thread.currentThread().getContextClassLoader());
      for (Method each : loaded.getDeclaredMethods()) {
        if (each.getName().equals(method.name()) && each.isAnnotationPresent(Locked.class)) {
          LockedInterceptor.read(each);
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(type + " cannot be loaded", e);
    }
  }

  /**
   * Quarkus decides which Netty there is, and lockkeeper-redis, unless it is managed, the Lettuce.
   */
  @BuildStep
  void checkLettuce(
      CurateOutcomeBuildItem application, BuildProducer<ValidationErrorBuildItem> errors) {
    String lettuce = "";
    String netty = "";
    for (ResolvedDependency each : application.getApplicationModel().getDependencies()) {
      if (each.getArtifactId().equals("lettuce-core")) {
        lettuce = each.getVersion();
      } else if (each.getArtifactId().equals("netty-transport")) {
        netty = each.getVersion();
      }
    }
    if (!fits(lettuce, netty)) {
      errors.produce(
          new ValidationErrorBuildItem(
              new IllegalStateException(
                  "lockkeeper-redis has Lettuce "
                      + lettuce
                      + ", which needs Netty 4.2, and Quarkus has Netty "
                      + netty
                      + ": manage io.lettuce:lettuce-core in the version 6.6.0.RELEASE")));
    }
  }

  /** Returns whether a Lettuce, if there is one, runs with a Netty. */
  static boolean fits(String lettuce, String netty) {
    return lettuce.startsWith("6.") || !netty.startsWith("4.1.") || lettuce.isEmpty();
  }

  /** Stores have hints of their own, as files beside their classes. */
  @BuildStep
  ServiceProviderBuildItem stores() {
    return ServiceProviderBuildItem.allProvidersFromClassPath(StoreProvider.class.getName());
  }

  /** The names of client and process, and randomness, are those of the running program. */
  @BuildStep
  RuntimeInitializedPackageBuildItem engine() {
    return new RuntimeInitializedPackageBuildItem("io.lockkeeper.engine");
  }
}
