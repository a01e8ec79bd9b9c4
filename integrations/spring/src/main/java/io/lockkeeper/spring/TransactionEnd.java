package io.lockkeeper.spring;

import io.lockkeeper.LeaseLostException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The end of the current transaction, if there are transactions. */
final class TransactionEnd {

  private static final System.Logger LOG = System.getLogger(TransactionEnd.class.getName());

  private TransactionEnd() {}

  static boolean isToCome() {
    return Libraries.TRANSACTIONS && Transactions.isActive();
  }

  static void release(Hold hold) {
    Transactions.register(hold);
  }

  private static final class Transactions {

    private Transactions() {}

    static boolean isActive() {
      return TransactionSynchronizationManager.isActualTransactionActive()
          && TransactionSynchronizationManager.isSynchronizationActive();
    }

    static void register(Hold hold) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
              hold.check();
            }

            @Override
            public void afterCompletion(int status) {
              try {
                hold.release();
              } catch (LeaseLostException e) {
                if (status != STATUS_ROLLED_BACK) {
                  LOG.log(System.Logger.Level.WARNING, "noticed only after the commit", e);
                }
              }
            }
          });
    }
  }
}
