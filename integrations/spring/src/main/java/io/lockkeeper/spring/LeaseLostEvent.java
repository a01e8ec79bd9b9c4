package io.lockkeeper.spring;

import io.lockkeeper.LeaseLost;
import java.lang.reflect.Method;
import org.springframework.context.ApplicationEvent;

/**
 * Published when the lease of a {@link Locked} method is lost while the method runs, on the
 * client's executor. The source is the bean.
 */
public final class LeaseLostEvent extends ApplicationEvent {

  private static final long serialVersionUID = 1L;

  private final transient Method method;
  private final LeaseLost loss;

  /** Creates the event. */
  public LeaseLostEvent(Object bean, Method method, LeaseLost loss) {
    super(bean);
    this.method = method;
    this.loss = loss;
  }

  /** Returns the method that runs. */
  public Method method() {
    return method;
  }

  /** Returns what was lost and why. */
  public LeaseLost loss() {
    return loss;
  }

  @Override
  public String toString() {
    return "LeaseLostEvent[" + method + ": " + loss + "]";
  }
}
