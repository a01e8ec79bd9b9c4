package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** What a key that calls a method of a parameter is, beside what Spring makes of the expression. */
class KeyMemberTest {

  private static final List<String> CALLS =
      List.of(
          "#a.toString()",
          "#a.toLowerCase()",
          "#a.strip( )",
          "#a.size()",
          "#a.get()",
          "#a.call()",
          "#a.name()",
          "#a.getName()",
          "#a.getClass()",
          "#a.length()",
          "#a.clone()",
          "#a.any()",
          "#a.one()",
          "#a.fail()",
          "#a.failChecked()",
          "#a.failBadly()",
          "#a.hidden()",
          "#a.none()");

  private final StandardEvaluationContext shared = new StandardEvaluationContext();

  /** An argument with methods of all kinds. */
  public static class Order {

    public String any(String... texts) {
      return "any of " + texts.length;
    }

    public static String one() {
      return "static";
    }

    public String one(int number) {
      return "number " + number;
    }

    public String fail() {
      throw new IllegalStateException("by the test's wish");
    }

    public String failChecked() throws IOException {
      throw new IOException("by the test's wish");
    }

    public String failBadly() {
      throw new AssertionError("by the test's wish");
    }

    private String hidden() {
      return "hidden";
    }

    public @Nullable String none() {
      return hidden().isEmpty() ? "" : null;
    }

    @Override
    public String toString() {
      return "order";
    }
  }

  private static final class Special extends Order {

    @Override
    public String any(String... texts) {
      return "special";
    }

    @Override
    public String fail() {
      return "not at all";
    }
  }

  private record Named(String name) {}

  private static List<@Nullable Object> values() {
    Object proxy =
        Proxy.newProxyInstance(
            KeyMemberTest.class.getClassLoader(),
            new Class<?>[] {Callable.class, Supplier.class},
            (self, method, arguments) -> "proxy " + method.getName());
    return Arrays.asList(
        "Apple ",
        1,
        null,
        new Order(),
        new Special(),
        new Named("plums"),
        TimeUnit.DAYS,
        String.class,
        Order.class,
        Optional.of("pears"),
        Optional.empty(),
        List.of(1, 2),
        new ArrayList<>(List.of(3)),
        Map.of("k", 1),
        new int[] {1},
        java.nio.CharBuffer.wrap("text"),
        proxy,
        (Supplier<String>) () -> "lambda");
  }

  private static String outcome(Callable<?> evaluation) {
    try {
      Object value = evaluation.call();
      return value instanceof int[] ? "an array" : String.valueOf(value);
    } catch (Throwable failure) {
      return failure.getClass().getName() + ": " + failure.getMessage() + failure.getCause();
    }
  }

  private EvaluationContext context(@Nullable Object[] arguments) throws NoSuchMethodException {
    LockedMethod locked =
        LockedMethod.of(
            Object.class.getMethod("toString"),
            List.of(),
            LockedMethod.Result.VALUE,
            Map.of("a", 0),
            List.of());
    return new CallContext(shared, locked, arguments, this);
  }

  /** The values come twice in a row and in turn, so that what was found before is used and not. */
  @Test
  void aCallIsWhatTheExpressionIsForValuesOfAnyClass() throws NoSuchMethodException {
    for (String call : CALLS) {
      Expression expression = new SpelExpressionParser().parseExpression(call);
      LockedOperation.Key key = new LockedOperation.Key(expression, 0, KeyMember.of(call));
      assertThat(key.member()).as(call).isNotNull();
      for (int round = 0; round < 2; round++) {
        for (Object value : values()) {
          @Nullable Object[] arguments = {value};
          EvaluationContext context = context(arguments);
          String expected =
              outcome(() -> new SpelExpressionParser().parseExpression(call).getValue(context));

          assertThat(outcome(() -> key.value(context, arguments)))
              .as("%s of %s", call, value)
              .isEqualTo(expected);
          assertThat(outcome(() -> key.value(context, arguments))).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void whatIsMoreThanOneCallIsLeftToTheExpression() {
    for (String text :
        List.of("#a", "#a.name", "#a.get().name()", "#a?.get()", "#a.get(1)", "@a.get()", "a()")) {
      assertThat(KeyMember.of(text)).as(text).isNull();
    }
  }
}
