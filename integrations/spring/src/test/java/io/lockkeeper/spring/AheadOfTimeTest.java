package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.Advised;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.DecoratingProxy;
import org.springframework.core.annotation.AliasFor;
import org.springframework.javapoet.ClassName;

/** Applications that are processed ahead of time, as for a native image. */
@SuppressWarnings("unused") // by proxies, or that is what is tested
class AheadOfTimeTest {

  @Configuration(proxyBeanMethods = false)
  @EnableLocks
  static class Base {

    /** Not made ahead of time. */
    @Bean
    Lockkeeper keeper() {
      throw new AssertionError("it connects ahead of time");
    }

    @Bean
    Names names() {
      return new Names();
    }
  }

  static class Names {

    public String of(Order order) {
      return order.sku();
    }
  }

  record Order(String sku, Customer customer) {}

  record Customer(String name) {}

  @Retention(RetentionPolicy.RUNTIME)
  @Locked(name = "order")
  @interface OrderLocked {

    @AliasFor(annotation = Locked.class, attribute = "key")
    String[] by();
  }

  static class Orders {

    @Locked(name = "stock", key = "#sku", waitTime = "${orders.wait}", fallback = "later")
    public String sell(String sku) {
      return "sold";
    }

    private String later(String sku) {
      return "later";
    }

    @OrderLocked(by = "#order.customer.name")
    public void place(Order order) {}

    @Locked(name = "order", key = "@names.of(#p0)", condition = "#root.methodName != '${a}'")
    public void cancel(Order order) {}

    String inside(String sku) {
      return sell(sku);
    }
  }

  interface Contract {

    @Locked
    void asPromised();
  }

  static class Implementation implements Contract {

    @Override
    public void asPromised() {}
  }

  private static RuntimeHints process(Class<?>... beans) {
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(Base.class)), new InMemoryGeneratedFiles());
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(Base.class);
      context.register(beans);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    }
    generation.writeGeneratedContent();
    return generation.getRuntimeHints();
  }

  private static Predicate<RuntimeHints> methodsOf(Class<?> type) {
    return RuntimeHintsPredicates.reflection()
        .onType(type)
        .withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS);
  }

  /** Spring 6.2 and 7 have predicates of methods that are different types. */
  private static Predicate<RuntimeHints> method(Class<?> type, String name) {
    return hints ->
        Stream.ofNullable(hints.reflection().getTypeHint(type))
            .flatMap(TypeHint::methods)
            .anyMatch(
                hint -> hint.getName().equals(name) && hint.getMode() == ExecutableMode.INVOKE);
  }

  @Test
  void theMethodsAndTheirFallbacksCanBeCalled() {
    assertThat(methodsOf(Orders.class)).accepts(process(Orders.class));
  }

  @Test
  void theAnnotationsCanBeRead() {
    RuntimeHints hints = process(Orders.class);

    assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Locked.class)).accepts(hints);
    assertThat(methodsOf(Locked.class)).accepts(hints);
    assertThat(methodsOf(Locks.class)).accepts(hints);
    assertThat(methodsOf(OrderLocked.class)).accepts(hints);
  }

  @Test
  void whatExpressionsAskIsThere() {
    RuntimeHints hints = process(Orders.class);

    assertThat(method(Order.class, "customer")).accepts(hints);
    assertThat(method(Customer.class, "name")).accepts(hints);
    for (Class<?> asked : new Class<?>[] {Names.class, LockedMethods.Root.class}) {
      assertThat(
              RuntimeHintsPredicates.reflection()
                  .onType(asked)
                  .withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
          .accepts(hints);
    }
  }

  @Test
  void theProxiesAreMade() {
    RuntimeHints hints = process(Orders.class, Implementation.class);

    assertThat(
            RuntimeHintsPredicates.proxies()
                .forInterfaces(
                    Contract.class, SpringProxy.class, Advised.class, DecoratingProxy.class))
        .accepts(hints);
    assertThat(methodsOf(Contract.class)).accepts(hints);
    assertThat(methodsOf(Implementation.class)).accepts(hints);
  }

  @Test
  void theClassOfAProxyIsGenerated() {
    InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
    DefaultGenerationContext generation =
        new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(Base.class)), files);
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(Base.class, Orders.class);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    }
    generation.writeGeneratedContent();

    assertThat(files.getGeneratedFiles(GeneratedFiles.Kind.CLASS).keySet())
        .anyMatch(name -> name.contains("AheadOfTimeTest$Orders$$SpringCGLIB$$"));
  }

  @Test
  void whatIsLookedForByItsNameIsFound() {
    RuntimeHints hints = new RuntimeHints();
    new LockedRuntimeHints().registerHints(hints, getClass().getClassLoader());

    assertThat(
            RuntimeHintsPredicates.reflection()
                .onType(
                    org.springframework.transaction.support.TransactionSynchronizationManager
                        .class))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onType(reactor.core.publisher.Flux.class))
        .accepts(hints);
    assertThat(RuntimeHintsPredicates.reflection().onType(io.lockkeeper.jdbc.SqlFence.class))
        .accepts(hints);
  }

  @Test
  void beansWithoutTheAnnotationNeedNothing() {
    assertThat(methodsOf(Plain.class)).rejects(process(Plain.class));
  }

  static class Plain {

    public void work() {}
  }

  static class FinalMethod {

    @Locked
    public final void deduct() {}
  }

  @Test
  void whatCannotWorkFailsAheadOfTime() {
    assertThatThrownBy(() -> process(FinalMethod.class))
        .hasStackTraceContaining("FinalMethod.deduct is final");
  }
}
