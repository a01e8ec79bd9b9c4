package io.lockkeeper.spring;

import java.util.Map;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.type.AnnotationMetadata;

/** Registers what {@link EnableLocks} switches on. */
final class LocksRegistrar implements ImportBeanDefinitionRegistrar {

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
    Map<String, Object> attributes = metadata.getAnnotationAttributes(EnableLocks.class.getName());
    if (attributes == null) {
      return;
    }
    AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
    if (Boolean.TRUE.equals(attributes.get("proxyTargetClass"))) {
      AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
    }
    register(registry, LockedMethods.class);
    register(registry, LockedBeanCheck.class);
    if (Libraries.FENCES) {
      register(registry, FencedWrites.class);
    }
    register(registry, LockedAdvisor.class)
        .getPropertyValues()
        .add("order", attributes.get("order"));
  }

  private static RootBeanDefinition register(BeanDefinitionRegistry registry, Class<?> type) {
    RootBeanDefinition definition = new RootBeanDefinition(type);
    definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
    definition.setAutowireMode(RootBeanDefinition.AUTOWIRE_CONSTRUCTOR);
    if (!registry.containsBeanDefinition(type.getName())) {
      registry.registerBeanDefinition(type.getName(), definition);
    }
    return definition;
  }
}
