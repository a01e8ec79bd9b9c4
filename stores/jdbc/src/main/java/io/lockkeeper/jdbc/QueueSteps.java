package io.lockkeeper.jdbc;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.LockRecord;
import io.lockkeeper.spi.rule.LockRule;
import io.lockkeeper.spi.rule.Notice;
import io.lockkeeper.spi.rule.PermitRule;
import io.lockkeeper.spi.rule.QueueRule;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The operations on resources, as steps. Each step locks the resource's row, and so has the
 * resource to itself until it is committed; what is to become of it says the {@link QueueRule}. As
 * long as nobody waits for a lock, {@link LockStatements} do a claim, a release or a renewal with
 * one statement.
 */
final class QueueSteps {

  /** How many contended locks are remembered. */
  private static final int MOST_CONTENDED = 10_000;

  private final Client client;
  private final ResourceTable resources;
  private final KnownClaims own = new KnownClaims();
  private final LockStatements statements;
  private final NotificationChannel notifications;

  /** The locks for which somebody waited when this client last saw them. */
  private final Set<ResourceId> contended = ConcurrentHashMap.newKeySet();

  QueueSteps(
      Client client,
      ResourceTable resources,
      LockStatements statements,
      NotificationChannel notifications) {
    this.client = client;
    this.resources = resources;
    this.statements = statements;
    this.notifications = notifications;
  }

  @FunctionalInterface
  private interface Work<R, T> {
    T run(R rule) throws SQLException;
  }

  @FunctionalInterface
  private interface Alone<T> {
    @Nullable T run(SqlSession session) throws SQLException;
  }

  Step<ClaimAnswer> claim(ClaimRequest request) {
    return step(
        request.resource(),
        fresh(request),
        request.leaseMillis(),
        false,
        rule -> rule.claim(request),
        session -> {
          Grant grant = statements.claim(session, request);
          return grant == null ? null : new ClaimAnswer.Granted(grant);
        });
  }

  Step<ReleaseAnswer> release(ReleaseRequest request) {
    ClaimRequest requeue = request.requeue();
    return step(
        request.resource(),
        requeue == null ? null : fresh(requeue),
        0,
        true,
        rule -> rule.release(request),
        session ->
            request.requeue() == null && statements.release(session, request)
                ? new ReleaseAnswer(true, null, null)
                : null);
  }

  Step<WithdrawAnswer> withdraw(ResourceId resource, long claim) {
    return step(resource, null, 0, false, rule -> rule.withdraw(claim), session -> null);
  }

  Step<RenewAnswer> renew(RenewRequest request) {
    return step(
        request.resource(),
        null,
        request.leaseMillis(),
        false,
        rule -> rule.renew(request),
        session -> statements.renew(session, request) ? new RenewAnswer(true, false) : null);
  }

  /** Renews several grants of this client on one shared resource. */
  Step<List<RenewAnswer>> renewAll(ResourceId resource, List<RenewRequest> requests) {
    return session -> share(session, resource, null, false, rule -> rule.renewAll(requests));
  }

  Step<PollAnswer> poll(ResourceId resource, long claim) {
    return step(resource, null, 0, false, rule -> rule.poll(claim), session -> null);
  }

  Step<Forced> forceRelease(ForceRequest request) {
    return step(
        request.resource(), null, 0, true, rule -> rule.forceRelease(request), session -> null);
  }

  Step<Resized> resize(ResizeRequest request) {
    return step(request.resource(), null, 0, true, rule -> rule.resize(request), session -> null);
  }

  /** Returns the number of a claim that need not be looked for; null if it may be known. */
  private @Nullable Long fresh(ClaimRequest request) {
    boolean isNew = own.isNew(request);
    // At a barrier it may have been taken back before it comes.
    boolean isBarrier = request.resource().kind() == ResourceKind.BARRIER;
    return isNew && !isBarrier ? request.claim() : null;
  }

  private <T> Step<T> step(
      ResourceId resource,
      @Nullable Long fresh,
      long leaseMillis,
      boolean withHead,
      Work<QueueRule<SQLException>, T> work,
      Alone<T> alone) {
    if (!resource.isExclusive()) {
      return session -> share(session, resource, fresh, withHead, work::run);
    }
    return new Step<>() {
      @Override
      public T run(SqlSession session) throws SQLException {
        return lock(session, resource, fresh, leaseMillis, withHead, work);
      }

      @Override
      public @Nullable T alone(SqlSession session) throws SQLException {
        boolean isLocked = session.locked(resource) != null;
        return isLocked || contended.contains(resource) ? null : alone.run(session);
      }
    };
  }

  /**
   * Takes a step on a lock.
   *
   * @param leaseMillis the lease that this client may count on if it holds the lock after it,
   *     however late the end is that stands in the row already; 0 for none
   */
  private <T> T lock(
      SqlSession session,
      ResourceId resource,
      @Nullable Long fresh,
      long leaseMillis,
      boolean withHead,
      Work<QueueRule<SQLException>, T> work)
      throws SQLException {
    ResourceRow row = resources.lock(session, resource, withHead);
    ClaimRows claims = new ClaimRows(client, own, resources, session, row, fresh);
    LockRecord before = row.lock();
    long lastArrival = row.lastArrival();
    int waiting = row.waiting;
    LockRule<SQLException> rule = new LockRule<>(client.id(), row.time(), before, claims);
    T answer = work.run(rule);
    notification(session, resource, rule.notices());
    LockRecord after = rule.record();
    LockGrant holder = after.holder();
    if (holder != null && !holder.equals(before.holder())) {
      if (!holder.isResting()) { // who waits for what may be forgotten need not wait for that
        resources.allow(session, holder.end().givenMicros());
      }
      resources.saw(after.lastToken());
    }
    if (holder != null && holder.client().equals(client.id())) {
      resources.allow(session, Client.micros(leaseMillis));
    }
    if (!after.equals(before) || row.waiting != waiting || row.lastArrival() != lastArrival) {
      row.lock(after);
      resources.saveLock(session, row);
    }
    boolean isContended =
        row.waiting > 0 || (holder != null && !holder.client().equals(client.id()));
    session.ifCommitted(() -> remember(resource, isContended));
    noteWait(session, row, lastArrival, true);
    return answer;
  }

  /** Reports a claim that a step has added to the queue. */
  private void noteWait(SqlSession session, ResourceRow row, long lastArrival, boolean isInOrder) {
    long arrival = row.lastArrival();
    int waiting = row.waiting;
    if (arrival != lastArrival && waiting > 0) {
      session.ifCommitted(() -> notifications.waits(row.id, arrival, waiting - 1, isInOrder));
    }
  }

  /** Notes whether it is worth trying a statement alone the next time. */
  private void remember(ResourceId resource, boolean isContended) {
    if (!isContended) {
      contended.remove(resource);
    } else {
      if (contended.size() >= MOST_CONTENDED) {
        contended.clear();
      }
      contended.add(resource);
    }
  }

  private <T> T share(
      SqlSession session,
      ResourceId resource,
      @Nullable Long fresh,
      boolean withHead,
      Work<PermitRule<SQLException>, T> work)
      throws SQLException {
    ResourceRow row = resources.lock(session, resource, withHead);
    ClaimRows claims = new ClaimRows(client, own, resources, session, row, fresh);
    long lastArrival = row.lastArrival();
    ResourceKind kind = resource.kind();
    PermitRule<SQLException> rule =
        new PermitRule<>(client.id(), row.time(), kind, row.permits(), claims);
    T answer = work.run(rule);
    notification(session, resource, rule.notices());
    row.permits(rule.record());
    resources.savePool(session, row);
    noteWait(session, row, lastArrival, false);
    return answer;
  }

  private static void notification(SqlSession session, ResourceId resource, List<Notice> notices) {
    for (Notice notice : notices) {
      if (notice instanceof Notice.Granted granted) {
        session.notification(new Notification.Granted(granted.client(), resource, granted.grant()));
      } else if (notice instanceof Notice.Contended) {
        session.notification(new Notification.Contended(notice.client(), resource));
      } else {
        session.notification(new Notification.Revoked(notice.client(), resource));
      }
    }
  }
}
