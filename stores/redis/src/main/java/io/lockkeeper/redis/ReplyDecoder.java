package io.lockkeeper.redis;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.WithdrawAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the scripts' answers, whose formats the heads of the scripts describe.
 *
 * <p>Where numbers are all of an answer, a script may write them as one text with blanks between,
 * or a single one by itself. That costs the server less: it does not know in advance how long an
 * array will be, so it keeps its pieces in a list and sends them with another system call.
 */
final class ReplyDecoder {

  private static final int FOREIGN = -1;
  private static final int NOTHING = 0;
  private static final int GRANTED_AT_ONCE = 1;
  private static final int GRANTED = 2;
  private static final int QUEUED = 3;

  private static final int RELEASED = 1;

  private static final long MICROS_PER_MILLI = 1_000;

  private ReplyDecoder() {}

  /** The record under a resource's key is not one of ours. */
  static final class ForeignRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ForeignRecordException() {
      super("a foreign record", null, false, false);
    }
  }

  static ClaimAnswer claim(Reply reply, long claim, long leaseMillis, int tokens) {
    int code = code(reply);
    return switch (code) {
      case GRANTED_AT_ONCE ->
          new ClaimAnswer.Granted(grantedAtOnce(reply, claim, leaseMillis, tokens));
      case GRANTED -> new ClaimAnswer.Granted(grant(reply));
      case QUEUED -> place(reply);
      case NOTHING -> new ClaimAnswer.Busy();
      default -> throw unknown(code);
    };
  }

  static ReleaseAnswer release(Reply reply) {
    int code = code(reply);
    if (code == RELEASED) {
      return new ReleaseAnswer(true, null, null);
    }
    boolean released = reply.nextFlag();
    @Nullable Grant next = reply.nextFlag() ? grant(reply) : null;
    @Nullable Queued place = reply.nextFlag() ? place(reply) : null;
    return new ReleaseAnswer(released, next, place);
  }

  static RenewAnswer renew(Reply reply) {
    long renewed = reply.nextNumber();
    boolean othersWait = reply.nextFlag();
    if (renewed == FOREIGN) {
      throw new ForeignRecordException();
    }
    return new RenewAnswer(renewed == 1, othersWait);
  }

  static PollAnswer poll(Reply reply) {
    int code = code(reply);
    return switch (code) {
      case GRANTED -> new PollAnswer.Granted(grant(reply));
      case QUEUED -> place(reply);
      case NOTHING -> new PollAnswer.Gone();
      default -> throw unknown(code);
    };
  }

  static Inspection inspect(Reply reply) {
    code(reply);
    int limit = Math.toIntExact(reply.nextNumber());
    List<Inspection.Holder> holders = list(reply, ReplyDecoder::holder);
    holders.sort(Comparator.comparingLong(Inspection.Holder::token));
    long out = holders.stream().mapToLong(Inspection.Holder::permits).sum();
    return new Inspection(holders, list(reply, ReplyDecoder::waiter), limit, out);
  }

  static Forced force(Reply reply) {
    return new Forced(code(reply) == 1);
  }

  static Resized resized(Reply reply) {
    return new Resized(code(reply) == 1, (int) reply.nextNumber());
  }

  private static <T> List<T> list(Reply reply, Function<Reply, T> next) {
    long size = reply.nextNumber();
    List<T> all = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      all.add(next.apply(reply));
    }
    return all;
  }

  private static Inspection.Holder holder(Reply reply) {
    String clientId = reply.nextText();
    long grant = Long.parseLong(reply.nextText());
    long token = reply.nextNumber();
    int permits = Math.toIntExact(reply.nextNumber());
    long leaseMicros = reply.nextNumber();
    long heldMicros = reply.nextNumber();
    return new Inspection.Holder(
        clientId, grant, token, permits, leaseMicros, heldMicros, reply.nextText());
  }

  private static Inspection.Waiter waiter(Reply reply) {
    String clientId = reply.nextText();
    long claim = Long.parseLong(reply.nextText());
    int permits = Math.toIntExact(reply.nextNumber());
    long waitedMicros = reply.nextNumber();
    return new Inspection.Waiter(clientId, claim, permits, waitedMicros, reply.nextText());
  }

  static WithdrawAnswer withdraw(Reply reply) {
    code(reply);
    return new WithdrawAnswer(reply.nextNumber());
  }

  /** Reads a list of claim numbers separated by commas. */
  static List<Long> claims(String run) {
    List<Long> claims = new ArrayList<>();
    int begin = 0;
    for (int comma = run.indexOf(','); comma >= 0; comma = run.indexOf(',', begin)) {
      claims.add(Long.parseLong(run, begin, comma, 10));
      begin = comma + 1;
    }
    claims.add(Long.parseLong(run, begin, run.length(), 10));
    return claims;
  }

  private static int code(Reply reply) {
    reply.spread();
    long code = reply.nextNumber();
    if (code == FOREIGN) {
      throw new ForeignRecordException();
    }
    return (int) code;
  }

  private static Grant grantedAtOnce(Reply reply, long claim, long leaseMillis, int tokens) {
    long storeMicros = reply.nextNumber();
    long firstToken = reply.nextNumber();
    return new Grant(
        claim,
        List.of(claim),
        firstToken,
        firstToken + tokens - 1,
        storeMicros,
        leaseMillis * MICROS_PER_MILLI,
        false,
        true);
  }

  private static Grant grant(Reply reply) {
    long grant = Long.parseLong(reply.nextText());
    List<Long> claims = claims(reply.nextText());
    long firstToken = reply.nextNumber();
    long lastToken = reply.nextNumber();
    long storeMicros = reply.nextNumber();
    long leaseMicros = reply.nextNumber();
    boolean othersWait = reply.nextFlag();
    boolean confirmed = reply.nextFlag();
    return new Grant(
        grant, claims, firstToken, lastToken, storeMicros, leaseMicros, othersWait, confirmed);
  }

  private static Queued place(Reply reply) {
    long storeMicros = reply.nextNumber();
    long holderMicros = reply.nextNumber();
    return new Queued(storeMicros, holderMicros, reply.nextNumber());
  }

  private static IllegalStateException unknown(int code) {
    return new IllegalStateException("a script answered the unknown code " + code);
  }
}
