package io.lockkeeper.spring;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** One number in transactions: what is written can be read by others after the commit. */
final class MemoryTransactions extends AbstractPlatformTransactionManager {

  private static final long serialVersionUID = 1L;

  private final transient AtomicInteger committed;
  private final transient ThreadLocal<Integer> written = new ThreadLocal<>();
  private final transient ThreadLocal<Boolean> active = ThreadLocal.withInitial(() -> false);
  private transient Runnable beforeCommit = () -> {};

  MemoryTransactions(int start) {
    committed = new AtomicInteger(start);
  }

  void beforeCommit(Runnable action) {
    beforeCommit = action;
  }

  int committed() {
    return committed.get();
  }

  int read() {
    return written.get() == null ? committed.get() : written.get();
  }

  void write(int value) {
    written.set(value);
  }

  @Override
  protected Object doGetTransaction() {
    return this;
  }

  @Override
  protected boolean isExistingTransaction(Object transaction) {
    return active.get();
  }

  @Override
  protected void doBegin(Object transaction, TransactionDefinition definition) {
    active.set(true);
  }

  @Override
  protected void doCommit(DefaultTransactionStatus status) {
    beforeCommit.run();
    if (written.get() != null) {
      committed.set(written.get());
    }
  }

  @Override
  protected void doRollback(DefaultTransactionStatus status) {}

  @Override
  protected void doCleanupAfterCompletion(Object transaction) {
    active.remove();
    written.remove();
  }
}
