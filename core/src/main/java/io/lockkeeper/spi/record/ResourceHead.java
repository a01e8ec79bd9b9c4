package io.lockkeeper.spi.record;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.rule.LeaseEnd;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.LockRecord;
import io.lockkeeper.spi.rule.LockRule;
import io.lockkeeper.spi.rule.PermitRecord;
import io.lockkeeper.spi.rule.PermitRule;
import io.lockkeeper.spi.rule.QueueRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a resource's record: all but its claims. Of the two parts one is there.
 *
 * @param lock the record of a lock
 * @param permits the record of a shared resource
 * @param lastArrival the place in the order of arrival that was given last
 */
record ResourceHead(@Nullable LockRecord lock, @Nullable PermitRecord permits, long lastArrival) {

  /** Which format this is. A format that is not known belongs to a later version. */
  private static final String FORMAT = "1";

  /** How many tokens can be given with one commit, in bits. */
  private static final int BITS_OF_A_COMMIT = 16;

  /**
   * Returns what tokens and versions of values of a new record must be larger than, so that they
   * are larger than those of all records before it. Places in a queue are times.
   */
  static long floor(long version) {
    return version << BITS_OF_A_COMMIT;
  }

  static ResourceHead of(ResourceKind kind, Reading reading, Times times) {
    String text = reading.head();
    if (text != null) {
      long before = floor(reading.version() - 1);
      return Fields.read(
          text, fields -> kind.isExclusive() ? lock(fields, times, before) : pool(fields));
    }
    long floor = floor(reading.version());
    return kind.isExclusive()
        ? new ResourceHead(new LockRecord(null, floor), null, 0)
        : new ResourceHead(null, new PermitRecord(Inspection.UNSET, false, floor), 0);
  }

  private static ResourceHead lock(Fields fields, Times times, long before) {
    fields.expect(FORMAT).expect("lock");
    long lastArrival = fields.number();
    long lastToken = token(fields, before);
    LockGrant holder = fields.hasMore() ? grant(fields, times, before) : null;
    return new ResourceHead(new LockRecord(holder, lastToken), null, lastArrival);
  }

  /** Reads a token. One that was given on {@link Change#ANY_ABSENCE} counts from its floor. */
  private static long token(Fields fields, long before) {
    long token = fields.number();
    return token < floor(Change.ANY_ABSENCE + 1) ? before + token : token;
  }

  /** Returns whether its tokens are few enough to be told from those of a known version. */
  boolean fitsAnyAbsence() {
    return lastToken() < floor(Change.ANY_ABSENCE + 1);
  }

  /** Returns whether the text that was read may have been written on any absence. */
  boolean isRelativeTo(Reading reading) {
    return lock != null && reading.head() != null && lastToken() > floor(reading.version() - 1);
  }

  private static LockGrant grant(Fields fields, Times times, long before) {
    String client = fields.word();
    String label = fields.text();
    long grant = fields.number();
    List<Long> claims = fields.longs();
    long firstToken = token(fields, before);
    long lastToken = token(fields, before);
    boolean toSpare = fields.flag();
    long since = times.read(fields.word());
    LeaseEnd end = times.readEnd(fields.word(), fields.number());
    return new LockGrant(
        client, label, grant, claims, firstToken, lastToken, toSpare, since, end, fields.flag());
  }

  private static ResourceHead pool(Fields fields) {
    fields.expect(FORMAT).expect("permits");
    long lastArrival = fields.number();
    int limit = fields.integer();
    boolean resized = fields.flag();
    return new ResourceHead(null, new PermitRecord(limit, resized, fields.number()), lastArrival);
  }

  String write(Times times) {
    PermitRecord pool = permits;
    if (pool != null) {
      return Fields.line(
          FORMAT, "permits", lastArrival, pool.limit(), pool.resized(), pool.lastToken());
    }
    String free = Fields.line(FORMAT, "lock", lastArrival, lastToken());
    LockGrant holder = holder();
    return holder == null ? free : free + " " + write(holder, times);
  }

  private static String write(LockGrant holder, Times times) {
    return Fields.line(
        holder.client(),
        Fields.escaped(holder.label()),
        holder.grant(),
        Fields.numbers(holder.claims()),
        holder.firstToken(),
        holder.lastToken(),
        holder.hasTokensToSpare(),
        times.write(holder.sinceMicros()),
        holder.isResting()
            ? times.writeOpen(holder.end().micros(), Times.LATE_MICROS)
            : times.write(holder.end().micros()),
        holder.end().givenMicros(),
        holder.confirmed());
  }

  /** Returns it as a step has left it. */
  ResourceHead after(QueueRule<?> rule, long newLastArrival) {
    return rule instanceof LockRule<?> ofLock
        ? new ResourceHead(ofLock.record(), null, newLastArrival)
        : new ResourceHead(null, ((PermitRule<?>) rule).record(), newLastArrival);
  }

  /**
   * Returns it with the limit of before, if it has none any more: claims may have been appended
   * that were not seen, and the limit is for them too. The rule drops it when there are none.
   */
  ResourceHead withLimitOf(ResourceHead before) {
    PermitRecord pool = permits;
    PermitRecord old = before.permits;
    return pool == null || old == null || pool.limit() != Inspection.UNSET
        ? this
        : new ResourceHead(
            null, new PermitRecord(old.limit(), pool.resized(), pool.lastToken()), lastArrival);
  }

  @Nullable LockGrant holder() {
    return lock == null ? null : lock.holder();
  }

  long lastToken() {
    return lock != null ? lock.lastToken() : permits == null ? 0 : permits.lastToken();
  }

  /** Returns whether it says nothing that has to be kept while nobody uses the resource. */
  boolean isIdle() {
    return holder() == null && (permits == null || !permits.resized());
  }
}
