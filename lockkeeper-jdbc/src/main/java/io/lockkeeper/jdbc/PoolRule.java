package io.lockkeeper.jdbc;

import io.lockkeeper.jdbc.ClaimRow.State;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule of the queue for what is shared: several grants side by side, each of a number of
 * permits.
 *
 * <p>A claim and a look first hear their client. Each step drops the grants that are over and lets
 * in whom that makes room for, then does its own work.
 */
final class PoolRule implements Rule {

  private final Client client;
  private final Resources resources;
  private final Claims claims;

  PoolRule(Client client, Resources resources) {
    this.client = client;
    this.resources = resources;
    this.claims = new Claims(client);
  }

  @FunctionalInterface
  private interface Work<T> {
    T run(Turn turn) throws SQLException;
  }

  private <T> Step<T> step(String resource, Work<T> work) {
    return session -> {
      Turn turn = new Turn(session, resources.lock(session, resource), resource);
      T answer = work.run(turn);
      turn.finish();
      return answer;
    };
  }

  @Override
  public Step<ClaimAnswer> claim(ClaimRequest request) {
    boolean isNew = claims.isNew(request);
    return step(
        request.resource(),
        turn -> {
          turn.begin();
          return turn.claim(request, isNew);
        });
  }

  @Override
  public Step<ReleaseAnswer> release(ReleaseRequest request) {
    return step(
        request.resource(),
        turn -> {
          String owner = request.owner() == null ? client.id() : request.owner();
          return new ReleaseAnswer(turn.end(owner, request.grant()), null, null);
        });
  }

  @Override
  public Step<Boolean> withdraw(String resource, long claim) {
    return step(resource, turn -> turn.withdraw(claim));
  }

  @Override
  public Step<RenewAnswer> renew(RenewRequest request) {
    return step(
        request.resource(),
        turn -> {
          String owner = request.owner() == null ? client.id() : request.owner();
          claims.dropThoseOver(turn.session, turn.row);
          return turn.renew(request, turn.grant(owner, request.grant()));
        });
  }

  /** Renews several grants of this client on one resource, which are read together. */
  Step<List<RenewAnswer>> renewAll(String resource, List<RenewRequest> requests) {
    return step(
        resource,
        turn -> {
          claims.dropThoseOver(turn.session, turn.row);
          Map<Long, ClaimRow> mine = new HashMap<>();
          claims
              .grants(turn.session, turn.row, client.id())
              .forEach(grant -> mine.put(grant.claim(), grant));
          List<RenewAnswer> answers = new ArrayList<>();
          for (RenewRequest request : requests) {
            answers.add(turn.renew(request, mine.get(request.grant())));
          }
          return answers;
        });
  }

  @Override
  public Step<LookAnswer> look(String resource, long claim) {
    return step(
        resource,
        turn -> {
          turn.begin();
          return turn.look(claim);
        });
  }

  @Override
  public Step<Forced> forceRelease(ForceRequest request) {
    return step(request.resource(), turn -> turn.force(request));
  }

  /** Changes the limit of a semaphore. */
  Step<Resized> resize(ResizeRequest request) {
    return step(request.resource(), turn -> turn.resize(request));
  }

  /** The work of one step on one resource. */
  private final class Turn {

    private final Session session;
    private final ResourceRow row;
    private final String resource;
    private final boolean isBarrier;
    private final List<Hint.Granted> granted = new ArrayList<>();

    Turn(Session session, ResourceRow row, String resource) {
      this.session = session;
      this.row = row;
      this.resource = resource;
      this.isBarrier = ResourceKind.of(resource) == ResourceKind.BARRIER;
    }

    void begin() throws SQLException {
      claims.heard(session, row);
      claims.dropThoseOver(session, row);
      admit();
    }

    void finish() throws SQLException {
      granted.stream()
          .filter(hint -> client.hints() || hint.client().equals(client.id()))
          .forEach(session::hint);
      if (row.isIdle()) {
        row.limit = Inspection.UNSET;
      }
      resources.savePool(session, row);
    }

    ClaimAnswer claim(ClaimRequest request, boolean isNew) throws SQLException {
      boolean mayBeKnown = isBarrier || !isNew; // at a barrier it may have been taken back
      ClaimRow known = mayBeKnown ? claims.find(session, row, client.id(), request.claim()) : null;
      if (known != null && known.state() == State.WITHDRAWN && known.isLive(row.nowMicros)) {
        return new ClaimAnswer.Busy();
      } else if (known != null && known.granted() && isDoubtful()) {
        claims.end(session, row, known); // it may have been over at the other server
        known = claims.find(session, row, client.id(), request.claim());
      } else if (known != null && known.granted()) {
        ClaimRow renewed = extended(known, request.leaseMillis());
        claims.change(session, row, renewed, known.permits());
        return new ClaimAnswer.Granted(answer(renewed, true));
      } else if (known != null) {
        return place(known.arrival());
      }
      if (row.limit == Inspection.UNSET) {
        row.limit = request.share().limit();
      }
      if (mayEnter(request.share())) {
        resources.allow(session, request.leaseMillis());
        long token = nextToken();
        claims.addGrant(session, row, request, token);
        long end = row.afterMillis(request.leaseMillis());
        return new ClaimAnswer.Granted(toGrant(request.claim(), token, end, true));
      }
      if (!request.queue()) {
        return new ClaimAnswer.Busy();
      }
      claims.add(session, row, request);
      return place(row.lastArrival());
    }

    Boolean withdraw(long claim) throws SQLException {
      claims.dropThoseOver(session, row);
      ClaimRow known = claims.find(session, row, client.id(), claim);
      if (isBarrier) {
        claims.remember(session, row, claim, known, Store.WITHDRAWN_MILLIS);
      } else if (known != null && known.granted()) {
        claims.end(session, row, known);
      } else if (known != null && known.state() == State.WAITING) {
        claims.remove(session, row, known);
      }
      admit();
      return true;
    }

    /**
     * Gives a grant more time.
     *
     * @param grant the grant, or null if it is over
     */
    RenewAnswer renew(RenewRequest request, @Nullable ClaimRow grant) throws SQLException {
      if (grant != null) {
        int permits =
            request.permits() > 0 ? Math.min(request.permits(), grant.permits()) : grant.permits();
        claims.change(session, row, extended(grant, request.leaseMillis()), permits);
      }
      admit();
      return new RenewAnswer(grant != null, false);
    }

    LookAnswer look(long claim) throws SQLException {
      ClaimRow known = claims.find(session, row, client.id(), claim);
      if (known == null || known.state() == State.WITHDRAWN || (known.granted() && isDoubtful())) {
        return new LookAnswer.Gone();
      }
      return known.granted()
          ? new LookAnswer.Granted(answer(known, known.confirmed()))
          : place(known.arrival());
    }

    /** Ends a grant and lets the next in; returns whether it was there. */
    boolean end(String owner, long number) throws SQLException {
      claims.dropThoseOver(session, row);
      ClaimRow grant = grant(owner, number);
      if (grant != null) {
        claims.end(session, row, grant);
        if (!owner.equals(client.id())) {
          session.hint(new Hint.Revoked(owner, resource));
        }
      }
      admit();
      return grant != null;
    }

    Forced force(ForceRequest request) throws SQLException {
      claims.dropThoseOver(session, row);
      List<ClaimRow> meant =
          claims.grants(session, row).stream()
              .filter(grant -> request.isAbout(grant.client(), grant.claim(), grant.token()))
              .toList();
      for (ClaimRow grant : meant) {
        claims.end(session, row, grant);
      }
      meant.stream()
          .map(ClaimRow::client)
          .distinct()
          .forEach(owner -> session.hint(new Hint.Revoked(owner, resource)));
      admit();
      return new Forced(!meant.isEmpty());
    }

    Resized resize(ResizeRequest request) throws SQLException {
      claims.dropThoseOver(session, row);
      admit();
      if (row.isIdle()) {
        row.limit = Inspection.UNSET;
      }
      ClaimRow known = claims.find(session, row, client.id(), request.number());
      boolean isNew = known == null || !known.isLive(row.nowMicros);
      long after = request.after(row.limit);
      boolean fits = request.fits(after);
      if (isNew && fits) {
        claims.remember(session, row, request.number(), known, request.rememberMillis());
        row.resized = request.kind() != ResizeRequest.Kind.GIVE_UP;
        if (row.resized) {
          row.limit = (int) after;
        }
        admit();
      }
      return new Resized(!isNew || fits, row.isIdle() ? Inspection.UNSET : row.limit);
    }

    private @Nullable ClaimRow grant(String owner, long number) throws SQLException {
      ClaimRow found = claims.find(session, row, owner, number);
      return found != null && found.granted() ? found : null;
    }

    /** Returns whether a grant that its client does not know of may be of the past. */
    private boolean isDoubtful() {
      return row.isClosed() && !isBarrier;
    }

    private ClaimRow extended(ClaimRow grant, long leaseMillis) {
      resources.allow(session, leaseMillis);
      return grant.extended(row.nowMicros, Client.micros(leaseMillis));
    }

    void admit() throws SQLException {
      if (row.isClosed()) {
        return;
      }
      if (isBarrier) {
        while (row.limit > 0 && claims.countLive(session, row) >= row.limit) {
          admitFirst(row.limit);
        }
      } else if (row.waiting > 0 && row.limit > row.out) {
        Door door = new Door(row);
        for (ClaimRow claim : claims.walk(session, row, door)) {
          let(claim);
        }
      }
    }

    private void admitFirst(int count) throws SQLException {
      int[] left = {count};
      List<ClaimRow> first =
          claims.walk(
              session, row, claim -> left[0]-- > 0 ? Claims.Verdict.TAKE : Claims.Verdict.STOP);
      for (ClaimRow claim : first) {
        let(claim);
      }
    }

    /**
     * Returns whether a new claim is let in at once; a barrier lets in the rest of its group then.
     */
    private boolean mayEnter(Share share) throws SQLException {
      if (row.isClosed()) {
        return false;
      } else if (isBarrier) {
        boolean complete = claims.countLive(session, row) == row.limit - 1;
        if (complete) {
          admitFirst(row.limit - 1);
        }
        return complete;
      }
      return share.permits() <= row.limit - row.out
          && (share.overtakes() || !claims.hasModest(session, row));
    }

    private void let(ClaimRow claim) throws SQLException {
      // What a barrier lets in keeps nobody out, and must not be missed.
      long millis =
          isBarrier ? claim.leaseMillis() : Math.min(claim.leaseMillis(), claim.deadlineMillis());
      resources.allow(session, millis);
      long token = nextToken();
      claims.grant(session, row, claim, Client.micros(millis), token, isBarrier);
      Grant grant = toGrant(claim.claim(), token, row.afterMillis(millis), isBarrier);
      granted.add(new Hint.Granted(claim.client(), resource, grant));
    }

    private long nextToken() {
      row.lastToken = row.nextToken();
      resources.saw(row.lastToken);
      return row.lastToken;
    }

    private Queued place(long arrival) {
      long firstEnd = row.untilNextMicros(row.grants > 0, client.heartbeatMicros());
      return new Queued(row.nowMicros, firstEnd, arrival);
    }

    /** Returns the grant for the answer, which makes the hint of it needless. */
    private Grant answer(ClaimRow claim, boolean confirmed) {
      granted.removeIf(
          hint -> hint.client().equals(client.id()) && hint.grant().grant() == claim.claim());
      return toGrant(claim.claim(), claim.token(), claim.endMicros(), confirmed);
    }

    private Grant toGrant(long claim, long token, long end, boolean confirmed) {
      return new Grant(
          claim,
          List.of(claim),
          token,
          token,
          row.nowMicros,
          Math.max(0, end - row.nowMicros),
          false,
          confirmed);
    }
  }

  /** Lets claims in from the head of the queue while their permits last. */
  private static final class Door implements Claims.Visitor {

    private final int limit;
    private long left;

    Door(ResourceRow row) {
      limit = row.limit;
      left = row.limit - row.out;
    }

    @Override
    public Claims.Verdict visit(ClaimRow claim) {
      if (left <= 0) {
        return Claims.Verdict.STOP;
      } else if (claim.permits() <= left) {
        left -= claim.permits();
        return Claims.Verdict.TAKE;
      }
      // One that wants more than there is holds nobody up.
      return claim.permits() > limit ? Claims.Verdict.PASS : Claims.Verdict.PASS_TO_OVERTAKERS;
    }
  }
}
