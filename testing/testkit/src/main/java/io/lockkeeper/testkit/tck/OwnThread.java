package io.lockkeeper.testkit.tck;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs each test, and what prepares it, on a thread of the test's own group, where the threads that
 * it starts belong too: so that each of several tests side by side can tell which are its own.
 */
final class OwnThread implements InvocationInterceptor {

  @Override
  public void interceptBeforeEachMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    run(invocation, context);
  }

  private static void run(Invocation<Void> invocation, ExtensionContext context) throws Throwable {
    ThreadGroup group = ((TckBase) context.getRequiredTestInstance()).threads();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        new Thread(
            group,
            () -> {
              try {
                invocation.proceed();
              } catch (Throwable e) {
                failure.set(e);
              }
            },
            "tck");
    thread.start();
    join(thread);
    if (failure.get() != null) {
      throw failure.get();
    }
  }

  /** Waits for the end of a test; one that takes too long is interrupted there. */
  private static void join(Thread thread) throws InterruptedException {
    try {
      thread.join();
    } catch (InterruptedException e) {
      thread.interrupt();
      thread.join();
      throw e;
    }
  }
}
