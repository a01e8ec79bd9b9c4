package io.lockkeeper.spring;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.jdbc.SqlFence;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Checks the tokens of {@linkplain Locked#fenced fenced} methods in their transaction.
 *
 * <p>The lock is taken outside of the transaction and the token checked inside of it, so these are
 * two pieces of advice: this one is put behind all others when a proxy is finished, whatever their
 * order, and finds in the invocation what the first one has acquired.
 */
final class FencedWrites extends AbstractBeanFactoryAwareAdvisingPostProcessor {

  private static final long serialVersionUID = 1L;

  private static final String ATTRIBUTE = "io.lockkeeper.spring.fenced";

  /**
   * The hold of a call whose token is to be checked.
   *
   * @param mode the kind of lock
   */
  record Fenced(LockMode mode, Hold hold) {}

  private transient @Nullable BeanFactory beans;

  FencedWrites() {
    this.advisor =
        new DefaultPointcutAdvisor(
            new StaticMethodMatcherPointcut() {
              @Override
              public boolean matches(Method method, Class<?> targetClass) {
                return LockedMethods.isFenced(method, targetClass);
              }
            },
            (MethodInterceptor) this::invoke);
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    super.setBeanFactory(beanFactory);
    this.beans = beanFactory;
  }

  /** Leaves what was acquired with the invocation, for the advice that is behind this one. */
  static void hand(MethodInvocation invocation, Fenced fenced) {
    if (invocation instanceof ProxyMethodInvocation proxied) {
      List<Object> all = new ArrayList<>();
      if (proxied.getUserAttribute(ATTRIBUTE) instanceof List<?> before) {
        all.addAll(before);
      }
      all.add(fenced);
      proxied.setUserAttribute(ATTRIBUTE, all);
    }
  }

  private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object handed =
        invocation instanceof ProxyMethodInvocation proxied
            ? proxied.getUserAttribute(ATTRIBUTE)
            : null;
    if (handed instanceof List<?> fenced) {
      for (Object each : fenced) {
        check((Fenced) each, invocation.getMethod());
      }
    }
    return invocation.proceed();
  }

  private void check(Fenced fenced, Method method) {
    Connection connection = connection(method);
    SqlFence fence =
        beans == null
            ? SqlFence.create()
            : beans.getBeanProvider(SqlFence.class).getIfAvailable(SqlFence::create);
    ResourceKind kind =
        fenced.mode() == LockMode.WRITE ? ResourceKind.READ_WRITE_LOCK : ResourceKind.LOCK;
    for (Map.Entry<String, Long> token : fenced.hold().tokens().entrySet()) {
      try {
        fence.check(connection, kind, token.getKey(), token.getValue());
      } catch (SQLException e) {
        throw failed(token.getKey(), e);
      }
    }
  }

  private static DataAccessException failed(String name, SQLException cause) {
    String task = "check of the fencing token of " + name;
    DataAccessException known = new SQLExceptionSubclassTranslator().translate(task, null, cause);
    return known == null ? new DataAccessResourceFailureException(task, cause) : known;
  }

  /** Returns the connection of the current transaction. */
  private static Connection connection(Method method) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw LockedMethods.wrong(method, "is fenced, but runs in no transaction");
    }
    List<Connection> connections =
        TransactionSynchronizationManager.getResourceMap().values().stream()
            .filter(ConnectionHolder.class::isInstance)
            .map(holder -> ((ConnectionHolder) holder).getConnection())
            .distinct()
            .toList();
    if (connections.size() != 1) {
      throw LockedMethods.wrong(
          method,
          "is fenced, but its transaction has "
              + (connections.isEmpty() ? "no connection of JDBC" : "several connections of JDBC")
              + ": use SqlFence");
    }
    return connections.get(0);
  }
}
