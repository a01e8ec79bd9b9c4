package io.lockkeeper.spring;

import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationEventPublisherAware;
import org.springframework.core.annotation.AnnotationUtils;

/** Says which methods take locks, and how. */
final class LockedAdvisor extends AbstractPointcutAdvisor
    implements BeanFactoryAware, ApplicationEventPublisherAware {

  private static final long serialVersionUID = 1L;

  private final transient LockedMethods methods;
  private transient @Nullable BeanFactory beans;
  private transient @Nullable ApplicationEventPublisher publisher;
  private transient @Nullable LockedInterceptor advice;

  LockedAdvisor(LockedMethods methods) {
    this.methods = methods;
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    beans = beanFactory;
  }

  @Override
  public void setApplicationEventPublisher(ApplicationEventPublisher publisher) {
    this.publisher = publisher;
  }

  @Override
  public Pointcut getPointcut() {
    return new StaticMethodMatcherPointcut() {
      {
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, Locked.class));
      }

      @Override
      public boolean matches(Method method, Class<?> targetClass) {
        return LockedMethods.isLocked(method, targetClass);
      }
    };
  }

  @Override
  public Advice getAdvice() {
    LockedInterceptor result = advice;
    if (result == null) {
      BeanFactory factory = beans;
      ApplicationEventPublisher events = publisher;
      if (factory == null || events == null) {
        throw new IllegalStateException("not in an application context");
      }
      result = new LockedInterceptor(methods, factory, events::publishEvent);
      advice = result;
    }
    return result;
  }
}
