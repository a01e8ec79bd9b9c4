package io.lockkeeper.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/**
 * The context of expressions in one call. Spring's own copies the arguments of each call under
 * three names each; this one looks them up where they are, and has the rest in common with all.
 */
final class CallContext implements EvaluationContext {

  private final EvaluationContext shared;
  private final Map<String, Integer> variables;
  private final @Nullable Object[] arguments;
  private final TypedValue root;

  CallContext(
      EvaluationContext shared,
      Map<String, Integer> variables,
      @Nullable Object[] arguments,
      Object root) {
    this.shared = shared;
    this.variables = variables;
    this.arguments = arguments;
    this.root = new TypedValue(root);
  }

  @Override
  public TypedValue getRootObject() {
    return root;
  }

  @Override
  public @Nullable Object lookupVariable(String name) {
    Integer position = variables.get(name);
    return position == null ? null : arguments[position];
  }

  @Override
  public void setVariable(String name, @Nullable Object value) {
    throw new UnsupportedOperationException("the arguments of a call are not changed");
  }

  @Override
  public boolean isAssignmentEnabled() {
    return false;
  }

  @Override
  public List<PropertyAccessor> getPropertyAccessors() {
    return shared.getPropertyAccessors();
  }

  @Override
  public List<IndexAccessor> getIndexAccessors() {
    return shared.getIndexAccessors();
  }

  @Override
  public List<ConstructorResolver> getConstructorResolvers() {
    return shared.getConstructorResolvers();
  }

  @Override
  public List<MethodResolver> getMethodResolvers() {
    return shared.getMethodResolvers();
  }

  @Override
  public @Nullable BeanResolver getBeanResolver() {
    return shared.getBeanResolver();
  }

  @Override
  public TypeLocator getTypeLocator() {
    return shared.getTypeLocator();
  }

  @Override
  public TypeConverter getTypeConverter() {
    return shared.getTypeConverter();
  }

  @Override
  public TypeComparator getTypeComparator() {
    return shared.getTypeComparator();
  }

  @Override
  public OperatorOverloader getOperatorOverloader() {
    return shared.getOperatorOverloader();
  }
}
