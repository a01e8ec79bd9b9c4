package io.lockkeeper.spring;

import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/**
 * Says when an application is processed ahead of time what a native image must have of the beans
 * with {@link Locked} methods: those methods and their fallbacks, and what their expressions ask.
 * What {@link LockedBeanCheck} finds at the start is found then already; an image has neither
 * methods that nobody calls nor the code of classes.
 */
final class LockedAotProcessor implements BeanRegistrationAotProcessor {

  private final SpelExpressionParser parser = new SpelExpressionParser();

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    ConfigurableListableBeanFactory beans = bean.getBeanFactory();
    Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
    if (!LockedBeanCheck.isCandidate(type)
        || !beans.containsBeanDefinition(LockedMethods.class.getName())) {
      return null;
    }
    List<Method> methods = LockedBeanCheck.lockedMethods(type);
    if (methods.isEmpty()) {
      return null;
    }
    LockedBeanCheck.warnOfSelfCalls(type, methods);
    return (context, code) -> {
      ReflectionHints hints = context.getRuntimeHints().reflection();
      hierarchy(type)
          .forEach(each -> hints.registerType(each, MemberCategory.INVOKE_DECLARED_METHODS));
      methods.forEach(method -> register(method, beans, hints));
    };
  }

  /** Returns the class and all that it has methods of. */
  private static Stream<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      all.add(each);
    }
    all.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
    return all.stream().filter(each -> !each.getName().startsWith("java."));
  }

  private void register(
      Method method, ConfigurableListableBeanFactory beans, ReflectionHints hints) {
    for (MergedAnnotation<Locked> annotation : LockedMethods.annotations(method)) {
      for (MergedAnnotation<?> each = annotation; each != null; each = each.getMetaSource()) {
        hints.registerType(each.getType(), MemberCategory.INVOKE_DECLARED_METHODS);
      }
      Locked locked = annotation.synthesize();
      Stream.concat(Stream.of(locked.key()), Stream.of(locked.condition()))
          .filter(text -> !text.isEmpty())
          .forEach(text -> registerExpression(text, method, beans, hints));
    }
  }

  private void registerExpression(
      String text, Method method, ConfigurableListableBeanFactory beans, ReflectionHints hints) {
    SpelNode root;
    try {
      root = ((SpelExpression) parser.parseExpression(text)).getAST();
    } catch (ParseException e) {
      return; // with a ${...}, whose value is known at the start
    }
    if (!(root instanceof VariableReference)) {
      new BindingReflectionHintsRegistrar()
          .registerReflectionHints(hints, method.getGenericParameterTypes());
      registerBeans(root, beans, hints);
    }
  }

  private static void registerBeans(
      SpelNode node, ConfigurableListableBeanFactory beans, ReflectionHints hints) {
    if (node instanceof BeanReference reference) {
      String name = reference.toStringAST().replaceAll("^[@&]+|'", "");
      Class<?> type = beans.containsBean(name) ? beans.getType(name, false) : null;
      if (type != null) {
        hints.registerType(ClassUtils.getUserClass(type), MemberCategory.INVOKE_PUBLIC_METHODS);
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      registerBeans(node.getChild(i), beans, hints);
    }
  }
}
