package io.lockkeeper.junit;

import io.lockkeeper.Lockkeeper;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a test method, and the methods before and after each test, a client: as a parameter of the
 * type {@link Lockkeeper}, or {@link TestClients} for several. Each test has a namespace of its
 * own, so tests may run side by side, on one store too.
 *
 * <p>After each test the clients are closed. The test fails if a thread of it still holds or waits
 * for something, or has left a client open.
 *
 * <p>Switch it on by {@link WithLockkeeper}, or register it with the address of a store that a test
 * has started:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final LockkeeperExtension LOCKS = new LockkeeperExtension(() -> redis.url());
 * }</pre>
 */
public final class LockkeeperExtension implements ParameterResolver, AfterEachCallback {

  /**
   * The system property, or configuration parameter of JUnit, with the address of the store of
   * tests that name none.
   */
  public static final String URL_PROPERTY = "lockkeeper.test.url";

  private static final ExtensionContext.Namespace STORE =
      ExtensionContext.Namespace.create(LockkeeperExtension.class);

  private final Supplier<String> url;
  private final String namespace;

  /** Creates one for the store that {@link WithLockkeeper} names. */
  public LockkeeperExtension() {
    this(() -> "");
  }

  /**
   * Creates one for the store at an address.
   *
   * @param url asked when a test needs its first client; an empty one is none
   */
  public LockkeeperExtension(Supplier<String> url) {
    this(url, "");
  }

  /**
   * Creates one for the store at an address and the namespace of an application in the test.
   *
   * @param url asked when a test needs its first client; an empty one is none
   * @param namespace the namespace; an empty one is one that no other test has
   */
  public LockkeeperExtension(Supplier<String> url, String namespace) {
    this.url = url;
    this.namespace = namespace;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return context.getTestMethod().isPresent()
        && parameter.getDeclaringExecutable() instanceof Method
        && (type == Lockkeeper.class || type == TestClients.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ExtensionContext.Store store = context.getStore(STORE);
    TestClients clients = store.get(TestClients.class, TestClients.class);
    if (clients == null) {
      clients = new TestClients(url(context), namespace(context), name(context));
      store.put(TestClients.class, clients);
    }
    return parameter.getParameter().getType() == Lockkeeper.class ? clients.first() : clients;
  }

  private static String name(ExtensionContext context) {
    return context.getRequiredTestClass().getSimpleName()
        + "."
        + context.getRequiredTestMethod().getName();
  }

  private String url(ExtensionContext context) {
    String given = url.get();
    String annotated = given.isEmpty() ? annotated(context, WithLockkeeper::url) : given;
    return annotated.isEmpty()
        ? context.getConfigurationParameter(URL_PROPERTY).orElse("")
        : annotated;
  }

  private String namespace(ExtensionContext context) {
    return namespace.isEmpty() ? annotated(context, WithLockkeeper::namespace) : namespace;
  }

  /** Returns the value on the method or on the nearest class that has one, or an empty text. */
  private static String annotated(
      ExtensionContext context, Function<WithLockkeeper, String> value) {
    for (ExtensionContext c = context; ; c = c.getParent().get()) {
      String found =
          AnnotationSupport.findAnnotation(c.getElement(), WithLockkeeper.class)
              .map(value)
              .orElse("");
      if (!found.isEmpty() || c.getParent().isEmpty()) {
        return found;
      }
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    TestClients clients = context.getStore(STORE).remove(TestClients.class, TestClients.class);
    if (clients != null) {
      clients.close();
    }
  }
}
