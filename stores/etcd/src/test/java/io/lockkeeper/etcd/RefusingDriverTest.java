package io.lockkeeper.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lease;
import io.etcd.jetcd.Watch;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.spi.support.Deadlines;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A driver that throws instead of answering, as one does that is being closed. */
class RefusingDriverTest {

  private static <T> T made(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void aLeaseThatTheDriverRefusesIsAFailureAndNoWaitForEver() {
    AtomicInteger asked = new AtomicInteger();
    Lease leases =
        made(
            Lease.class,
            (proxy, method, args) -> {
              if (asked.getAndIncrement() == 0) {
                throw new IllegalStateException("closed");
              }
              throw new NoClassDefFoundError("made up");
            });
    Client client =
        made(
            Client.class,
            (proxy, method, args) -> method.getName().equals("getLeaseClient") ? leases : null);
    try (Scheduler scheduler = Threads.scheduler();
        Deadlines deadlines = new Deadlines(60_000, scheduler)) {
      EtcdSession session =
          new EtcdSession(
              client,
              EtcdKeys.bytes("mark"),
              System::nanoTime,
              scheduler,
              deadlines,
              Duration.ofSeconds(10),
              Duration.ofSeconds(60),
              () -> {});

      assertThat(session.mark()).isCompletedExceptionally();
      assertThat(session.mark()).isCompletedExceptionally();
      assertThat(session.passing()).isCompletedExceptionally();
    }
  }

  @Test
  void aWatchThatTheDriverRefusesIsAskedForAgain() {
    AtomicInteger asked = new AtomicInteger();
    Watch watches =
        made(
            Watch.class,
            (proxy, method, args) -> {
              switch (asked.incrementAndGet()) {
                case 1 -> throw new IllegalStateException("not now");
                case 2 -> throw new NoClassDefFoundError("made up");
                default -> {
                  // now it works
                }
              }
              return made(Watch.Watcher.class, (watcher, closing, none) -> null);
            });
    try (Scheduler scheduler = Threads.scheduler();
        MessageWatch messages = new MessageWatch(watches, EtcdKeys.bytes("m/"), scheduler)) {
      messages.listen(
          new RecordStore.Listener() {
            @Override
            public void message(String text) {}

            @Override
            public void reconnected() {}
          });

      await().atMost(Delays.patience()).until(() -> asked.get() == 3);
    }
  }
}
