package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Watch;
import io.etcd.jetcd.Watch.Watcher;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchEvent.EventType;
import io.etcd.jetcd.watch.WatchResponse;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.record.RecordStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Watches the messages to one client. Whatever ends a watch (a lost connection, a server without a
 * leader, a compaction of what would have come next), another takes its place, from then on. When a
 * watch has begun the client is notified, because something may have been missed before; so also
 * when the first one has.
 */
final class MessageWatch implements AutoCloseable {

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Watch etcd;
  private final ByteSequence prefix;
  private final Scheduler scheduler;
  private volatile RecordStore.@Nullable Listener listener;
  private volatile @Nullable OneWatch current;
  private volatile boolean isClosed;

  MessageWatch(Watch etcd, ByteSequence prefix, Scheduler scheduler) {
    this.etcd = etcd;
    this.prefix = prefix;
    this.scheduler = scheduler;
  }

  void listen(RecordStore.Listener newListener) {
    listener = newListener;
    begin();
  }

  private void begin() {
    if (isClosed) {
      return;
    }
    OneWatch next = new OneWatch();
    current = next;
    next.begin();
    if (isClosed) {
      next.end();
    }
  }

  /** Notifies the client that something may have been missed. */
  void reconnected() {
    RecordStore.Listener receiver = listener;
    if (receiver != null && !isClosed) {
      receiver.reconnected();
    }
  }

  @Override
  public void close() {
    isClosed = true;
    OneWatch last = current;
    if (last != null) {
      last.end();
    }
  }

  /** A watch until it ends; what the driver reports after that does not count. */
  private final class OneWatch implements Watch.Listener {

    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private volatile @Nullable Watcher watcher;

    void begin() {
      WatchOption option =
          WatchOption.builder()
              .isPrefix(true)
              .withNoDelete(true)
              .withRequireLeader(true)
              .withCreateNotify(true)
              .build();
      try {
        watcher = etcd.watch(prefix, option, this);
      } catch (Throwable refused) { // an error too: without a watch the client is deaf
        replace();
      }
    }

    @Override
    public void onNext(WatchResponse response) {
      RecordStore.Listener receiver = listener;
      if (hasEnded.get() || receiver == null) {
        return;
      }
      if (response.isCreatedNotify()) {
        receiver.reconnected();
      }
      response.getEvents().stream()
          .filter(event -> event.getEventType() == EventType.PUT)
          .forEach(event -> receiver.message(EtcdKeys.text(event.getKeyValue().getValue())));
    }

    @Override
    public void onError(Throwable failure) {
      replace();
    }

    @Override
    public void onCompleted() {
      replace();
    }

    private void replace() {
      if (!isClosed && hasEnded.compareAndSet(false, true)) {
        scheduler.schedule(
            () -> {
              end();
              MessageWatch.this.begin();
            },
            PAUSE_NANOS);
      }
    }

    private void end() {
      hasEnded.set(true);
      Watcher old = watcher;
      if (old != null) {
        old.close();
      }
    }
  }
}
