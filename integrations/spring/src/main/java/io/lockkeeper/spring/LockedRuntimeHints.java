package io.lockkeeper.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * The hints of this module itself for a native image. The files below {@code META-INF/native-image}
 * in the jars of the stores say it of those.
 */
final class LockedRuntimeHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    for (String type : Libraries.TYPES) {
      hints.reflection().registerTypeIfPresent(classLoader, type);
    }
    for (Class<?> annotation : new Class<?>[] {Locked.class, Locks.class}) {
      hints.reflection().registerType(annotation, MemberCategory.INVOKE_DECLARED_METHODS);
    }
    hints.proxies().registerJdkProxy(Locked.class); // as Spring merges it with its meta-annotations
    hints
        .reflection()
        .registerType(LockedMethods.Root.class, MemberCategory.INVOKE_PUBLIC_METHODS); // by SpEL
  }
}
