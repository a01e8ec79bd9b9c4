package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.SpringVersion;

@SuppressWarnings("unused") // by proxies, or that is what is tested
class LockedStartTest {

  @Configuration
  @EnableLocks
  static class Base {

    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect("memory:locked-start-test");
    }
  }

  @Test
  void theSpringIsTheOneThatIsMeant() {
    assertThat(SpringVersion.getVersion()).startsWith(System.getProperty("lockkeeper.test.spring"));
  }

  private static void assertStartFails(Class<?> bean, String... words) {
    assertThatThrownBy(
            () -> {
              try (var context = new AnnotationConfigApplicationContext(Base.class, bean)) {
                context.start();
              }
            })
        .rootCause()
        .message()
        .contains(words);
  }

  static class PrivateMethod {
    @Locked
    private void deduct() {}
  }

  static class FinalMethod {
    @Locked
    public final void deduct() {}
  }

  static class StaticMethod {
    @Locked
    public static void deduct() {}
  }

  static class Futures {
    @Locked
    public Future<String> deduct() {
      throw new UnsupportedOperationException();
    }
  }

  static class Callables {
    @Locked
    public Callable<String> deduct() {
      throw new UnsupportedOperationException();
    }
  }

  static class BadKey {
    @Locked(key = "#{id}")
    public void deduct() {}
  }

  static class BadWait {
    @Locked(waitTime = "soon")
    public void deduct() {}
  }

  static class NoFallback {
    @Locked(fallback = "nothing")
    public void deduct(String sku) {}
  }

  static class NoHandler {
    @Locked(handler = "nope")
    public void deduct() {}
  }

  static class WrongHandler {
    @Locked(handler = "keeper")
    public void deduct() {}
  }

  static class NoKeeper {
    @Locked(keeper = "nope")
    public void deduct() {}
  }

  static class MisspeltKey {
    @Locked(key = "#skuu")
    public void deduct(String sku) {}
  }

  static class MisspeltPartOfAKey {
    @Locked(key = "#sku + ':' + #cuont.toString()")
    public void deduct(String sku, int count) {}
  }

  static class MisspeltCondition {
    @Locked(condition = "#count > 0 and #skuu != null")
    public void deduct(String sku, int count) {}
  }

  static class OtherVariables {
    @Locked(
        key = {"#sku", "#a1", "#p1", "#root.args[0]", "#parts.?[#this != null]"},
        condition = "#root.methodName == 'deduct'")
    public void deduct(String sku, List<String> parts) {}
  }

  static final class FinalClass {
    @Locked
    public void deduct() {}
  }

  static class NoUnit {
    @Locked(waitTime = "5")
    public void deduct() {}
  }

  static class NoWait {
    @Locked(waitTime = "0", leaseTime = "PT5S")
    public void deduct() {}
  }

  static class TooMuch {
    @Locked(onFailure = OnFailure.SKIP, handler = "handler")
    public void deduct() {}
  }

  static class KeptReadLock {
    @Locked(mode = LockMode.READ, atLeast = "5m")
    public void deduct() {}
  }

  static class KeptStage {
    @Locked(atLeast = "5m")
    public CompletableFuture<String> deduct() {
      throw new UnsupportedOperationException();
    }
  }

  static class KeptForDays {
    @Locked(atLeast = "25h")
    public void deduct() {}
  }

  @Test
  void whatCannotWorkFailsTheStart() {
    assertStartFails(KeptReadLock.class, "atLeast", "one lock");
    assertStartFails(KeptStage.class, "atLeast", "Lockkeeper.once");
    assertStartFails(KeptForDays.class, "atLeast", "24 h");
    assertStartFails(PrivateMethod.class, "PrivateMethod.deduct", "is private", "LockTemplate");
    assertStartFails(FinalMethod.class, "FinalMethod.deduct", "is final");
    assertStartFails(StaticMethod.class, "StaticMethod.deduct", "is static");
    assertStartFails(Futures.class, "returns a Future", "CompletableFuture");
    assertStartFails(Callables.class, "returns a Callable");
    assertStartFails(NoFallback.class, "'nothing'", "(String)");
    assertStartFails(TooMuch.class, "more than one of onFailure, fallback and handler");
    assertStartFails(NoHandler.class, "NoHandler.deduct", "'nope'", "LockFailureHandler");
    assertStartFails(WrongHandler.class, "'keeper'", "LockFailureHandler");
    assertStartFails(NoKeeper.class, "'nope'", "Lockkeeper");
    assertStartFails(MisspeltKey.class, "'#skuu'", "no parameter skuu (sku)", "-parameters");
    assertStartFails(MisspeltPartOfAKey.class, "no parameter cuont (count, sku)");
    assertStartFails(MisspeltCondition.class, "the condition", "no parameter skuu");
    assertStartFails(FinalClass.class, "FinalClass.deduct", "in a final class", "LockTemplate");
    assertStartFails(NoUnit.class, "NoUnit.deduct", "waitTime '5'", "a unit", "500ms");
    new AnnotationConfigApplicationContext(Base.class, OtherVariables.class, NoWait.class).close();
    assertThatThrownBy(() -> new AnnotationConfigApplicationContext(Base.class, BadKey.class))
        .rootCause()
        .isNotNull();
    assertThatThrownBy(() -> new AnnotationConfigApplicationContext(Base.class, BadKey.class))
        .hasStackTraceContaining("leave out the #{...}");
    assertThatThrownBy(() -> new AnnotationConfigApplicationContext(Base.class, BadWait.class))
        .hasStackTraceContaining("'soon'");
  }

  // ------------------------------------------------------------- calls within a class

  static class Calls {
    private Calls self;
    private Supplier<Calls> provider;

    @Locked
    public void locked() {}

    void direct() {
      locked();
    }

    void lambda(Executor executor) {
      executor.execute(() -> locked());
    }

    void reference(Executor executor) {
      executor.execute(this::locked);
    }

    void throughProxy() {
      self.locked();
    }

    void throughProvider() {
      provider.get().locked();
    }

    void another(Calls other) {
      other.locked();
    }
  }

  static class CallsItself {

    @Locked
    public void locked() {}

    public void direct() {
      locked();
    }
  }

  @Test
  void callsWithinAClassAreLoggedAtTheStart() {
    Queue<String> logged = new ConcurrentLinkedQueue<>();
    Logger logger = Logger.getLogger(Locked.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record.getLevel() + " " + new SimpleFormatter().formatMessage(record));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try {
      new AnnotationConfigApplicationContext(Base.class, CallsItself.class).close();
    } finally {
      logger.removeHandler(handler);
    }

    assertThat(logged)
        .singleElement()
        .asString()
        .startsWith("WARNING CallsItself.direct -> locked calls a @Locked method of its own class")
        .contains("LockTemplate");
  }

  @Test
  void callsWithinAClassAreFound() throws Exception {
    Method locked = Calls.class.getDeclaredMethod("locked");
    assertThat(SelfCalls.of(Calls.class, List.of(locked)))
        .anyMatch(call -> call.startsWith("Calls.direct "))
        .anyMatch(call -> call.startsWith("Calls.lambda$lambda$"))
        .anyMatch(call -> call.startsWith("Calls.reference "))
        .hasSize(3);
    assertThat(Arrays.asList(Calls.class.getDeclaredMethods())).contains(locked);
  }
}
