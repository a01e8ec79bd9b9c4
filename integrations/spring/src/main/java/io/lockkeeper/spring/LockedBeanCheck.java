package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Says at the start which {@link Locked} would have no effect, or not the one that is meant. */
final class LockedBeanCheck implements BeanPostProcessor {

  private static final System.Logger LOG = System.getLogger(Locked.class.getName());

  private final ObjectProvider<LockedMethods> methods;
  private final BeanFactory beans;
  private final Set<Class<?>> checked = ConcurrentHashMap.newKeySet();

  LockedBeanCheck(ObjectProvider<LockedMethods> methods, BeanFactory beans) {
    this.methods = methods;
    this.beans = beans;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String beanName) {
    Class<?> type = ClassUtils.getUserClass(bean.getClass());
    if (isCandidate(type) && checked.add(type)) {
      List<Method> found = lockedMethods(type);
      if (!found.isEmpty()) {
        if (beans
            .getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME, ProxyConfig.class)
            .isProxyTargetClass()) {
          checkSubclass(type, found.get(0));
        }
        LockedMethods locked = methods.getObject();
        found.forEach(method -> locked.get(method, type));
        warnOfSelfCalls(type, found);
      }
    }
    return bean;
  }

  static boolean isCandidate(Class<?> type) {
    return AnnotationUtils.isCandidateClass(type, Locked.class)
        && !type.getName().startsWith("org.springframework.");
  }

  /**
   * Returns the methods with locks.
   *
   * @throws IllegalStateException if no proxy can take the lock of one of them
   */
  static List<Method> lockedMethods(Class<?> type) {
    List<Method> found = new ArrayList<>();
    ReflectionUtils.doWithMethods(
        type,
        method -> {
          if (method.isBridge() || method.isSynthetic() || !LockedMethods.isLocked(method, type)) {
            return;
          }
          for (int modifier : new int[] {Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL}) {
            if ((method.getModifiers() & modifier) != 0) {
              throw LockedMethods.wrong(
                  method,
                  "is "
                      + Modifier.toString(modifier)
                      + ", so no proxy can take its lock: use LockTemplate, or a public method");
            }
          }
          found.add(method);
        },
        method -> method.getDeclaringClass() != Object.class);
    if (!found.isEmpty() && ClassUtils.getAllInterfacesForClass(type).length == 0) {
      checkSubclass(type, found.get(0));
    }
    return found;
  }

  /** A proxy that does not go by interfaces is a subclass. */
  private static void checkSubclass(Class<?> type, Method method) {
    if (Modifier.isFinal(type.getModifiers())) {
      throw LockedMethods.wrong(
          method,
          "is in a final class, so no proxy can take its lock: make the class non-final (in Kotlin"
              + " open, by hand or by the plugin kotlin-spring), or use LockTemplate");
    }
  }

  static void warnOfSelfCalls(Class<?> type, List<Method> locked) {
    for (String call : SelfCalls.of(type, locked)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} calls a @Locked method of its own class: without the proxy there is no lock. Call it"
              + " from another bean, or use LockTemplate",
          call);
    }
  }
}
