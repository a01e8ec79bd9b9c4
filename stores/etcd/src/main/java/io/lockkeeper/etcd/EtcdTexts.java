package io.lockkeeper.etcd;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.GetOption.SortOrder;
import io.etcd.jetcd.options.GetOption.SortTarget;
import io.etcd.jetcd.options.PutOption;
import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.CommitAnswer;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.ReadRequest;
import io.lockkeeper.spi.record.Reading;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Turns requests and changes into etcd's, and etcd's answers into ours. */
final class EtcdTexts {

  /** How many operations a change has among others; one that has more is in parts. */
  static final int MOST_OPERATIONS = 24;

  private static final int OPERATIONS_OF_A_PART = 60;

  /** A revision that no key has. */
  private static final long NEVER = -1;

  /**
   * The part of a version besides a revision: which of three it is the revision of. A later one of
   * another kind has a larger revision too.
   */
  private enum Kind {
    /** The writing of the record. */
    PRESENT(0),
    /** Its deletion. */
    DELETED(1),
    /** Of the whole store, when there was neither the record nor a note of its deletion. */
    ABSENT(2);

    private static final int BITS = 2;

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    long version(long revision) {
      return revision << BITS | code;
    }

    static Kind of(long version) {
      long code = version & ((1 << BITS) - 1);
      return code == PRESENT.code ? PRESENT : code == DELETED.code ? DELETED : ABSENT;
    }

    static long revision(long version) {
      return version >> BITS;
    }
  }

  private final EtcdKeys keys;
  private final String client;
  private final RecentRevisions recent;

  /**
   * Creates it.
   *
   * @param recent the revisions since which notes of deletions are still there
   */
  EtcdTexts(EtcdKeys keys, String client, RecentRevisions recent) {
    this.keys = keys;
    this.client = client;
    this.recent = recent;
  }

  // ------------------------------------------------------------- reading

  /** Returns what is asked for a record: its head, the note of its deletion, and entries. */
  Stream<Op> questions(ReadRequest request) {
    boolean isAll = request.first() == ReadRequest.ALL;
    Stream<Op> first = questions(request.key(), isAll ? 0 : request.first());
    return isAll
        ? first
        : Stream.concat(first, Stream.of(entries(keys.entry(request.key(), request.own()), 0)));
  }

  private Stream<Op> questions(String record, int limit) {
    return Stream.of(
        Op.get(keys.head(record), GetOption.DEFAULT),
        Op.get(keys.deleted(record), GetOption.builder().withKeysOnly(true).build()),
        entries(keys.entry(record, ""), limit));
  }

  private static Op entries(ByteSequence prefix, int limit) {
    return Op.get(
        prefix,
        GetOption.builder()
            .isPrefix(true)
            .withSortField(SortTarget.CREATE)
            .withSortOrder(SortOrder.ASCEND)
            .withLimit(limit)
            .build());
  }

  /** Reads the answers to the questions for a request. */
  Reading reading(ReadRequest request, Iterator<GetResponse> answers, long revision) {
    return record(request, answers, revision).at(Kind.PRESENT.version(revision));
  }

  private Reading record(ReadRequest request, Iterator<GetResponse> answers, long revision) {
    String record = request.key();
    List<KeyValue> heads = answers.next().getKvs();
    List<KeyValue> deleted = answers.next().getKvs();
    GetResponse first = answers.next();
    GetResponse own = request.first() == ReadRequest.ALL ? null : answers.next();
    if (heads.isEmpty()) {
      return Reading.absent(
          deleted.isEmpty()
              ? Kind.ABSENT.version(revision)
              : Kind.DELETED.version(deleted.get(0).getModRevision()));
    }
    KeyValue head = heads.get(0);
    long version = Kind.PRESENT.version(head.getModRevision());
    String text = EtcdKeys.text(head.getValue());
    List<Entry> found = entries(record, head, first);
    if (!first.isMore()) {
      return Reading.of(version, text, found);
    }
    return Reading.page(version, text, found, own == null ? List.of() : entries(record, head, own));
  }

  /**
   * Returns the entries of a record. Those that were last written before it was begun belong to
   * another one, whose head somebody has deleted without them.
   */
  private List<Entry> entries(String record, KeyValue head, GetResponse answer) {
    return answer.getKvs().stream()
        .filter(kv -> kv.getModRevision() >= head.getCreateRevision())
        .map(
            kv ->
                new Entry(
                    keys.nameOf(record, kv.getKey()),
                    EtcdKeys.text(kv.getValue()),
                    kv.getLease() != 0))
        .toList();
  }

  // ------------------------------------------------------------- writing

  /** Returns whether a change puts what is there only for a while. */
  static boolean isPassing(Change change) {
    return change.head() == null || !change.messages().isEmpty();
  }

  /** Returns whether a change puts what is there only as long as the client. */
  static boolean isBound(Change change) {
    return change.isBound() || change.put().stream().anyMatch(Entry::isBound);
  }

  /** Returns a transaction that makes a change, or else reads what is to be shown then. */
  Op transaction(Change change, long passing, long session) {
    return Op.txn(
        conditions(change.key(), change.expected()),
        inParts(steps(change, passing, session)),
        Stream.ofNullable(change.otherwise()).flatMap(this::questions).toArray(Op[]::new));
  }

  /**
   * Returns the operations of a change as one transaction has them: the servers limit how many
   * stand side by side, so those of a large change are transactions inside it.
   */
  private static Op[] inParts(List<Op> steps) {
    if (steps.size() <= MOST_OPERATIONS) {
      return steps.toArray(Op[]::new);
    }
    List<Op> parts = new ArrayList<>();
    for (int from = 0; from < steps.size(); from += OPERATIONS_OF_A_PART) {
      List<Op> part = steps.subList(from, Math.min(steps.size(), from + OPERATIONS_OF_A_PART));
      parts.add(Op.txn(new Cmp[0], part.toArray(Op[]::new), new Op[0]));
    }
    return parts.toArray(Op[]::new);
  }

  /** Returns whether a change is in parts, so that it needs a transaction of its own. */
  static boolean isLarge(Change change) {
    return 3 + change.removed().size() + change.put().size() + change.messages().size()
        > MOST_OPERATIONS;
  }

  private Cmp[] conditions(String record, long version) {
    ByteSequence head = keys.head(record);
    ByteSequence deleted = keys.deleted(record);
    if (version == Change.ANY_ABSENCE) {
      return new Cmp[] {isAt(head, 0)};
    }
    long revision = Kind.revision(version);
    return switch (Kind.of(version)) {
      case PRESENT -> new Cmp[] {isAt(head, revision)};
      case DELETED -> new Cmp[] {isAt(head, 0), isAt(deleted, revision)};
      case ABSENT ->
          recent.contains(revision)
              ? new Cmp[] {isAt(head, 0), isAt(deleted, 0)}
              : new Cmp[] {isAt(head, NEVER)};
    };
  }

  /** Returns the condition that a client's mark is as it was written. */
  static Cmp isMarked(ByteSequence mark, long revision) {
    return isAt(mark, revision);
  }

  /** Returns that a key was last written at a revision; 0 if it is not there. */
  private static Cmp isAt(ByteSequence key, long revision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
  }

  private List<Op> steps(Change change, long passing, long session) {
    List<Op> steps = new ArrayList<>();
    String record = change.key();
    String head = change.head();
    if (head == null) {
      steps.add(Op.delete(keys.head(record), DeleteOption.DEFAULT));
      steps.add(Op.delete(keys.entry(record, ""), DeleteOption.builder().isPrefix(true).build()));
      steps.add(put(keys.deleted(record), "", passing));
    } else {
      steps.add(put(keys.head(record), head, change.isBound() ? session : 0));
      if (change.expected() == Change.ANY_ABSENCE || Kind.of(change.expected()) == Kind.DELETED) {
        steps.add(Op.delete(keys.deleted(record), DeleteOption.DEFAULT));
      }
      change
          .removed()
          .forEach(name -> steps.add(Op.delete(keys.entry(record, name), DeleteOption.DEFAULT)));
      change
          .put()
          .forEach(
              entry ->
                  steps.add(
                      put(
                          keys.entry(record, entry.name()),
                          entry.text(),
                          entry.isBound() ? session : 0)));
    }
    for (int i = 0; i < change.messages().size(); i++) {
      var message = change.messages().get(i);
      steps.add(put(keys.mail(message.client(), client, record, i), message.text(), passing));
    }
    return steps;
  }

  private static Op put(ByteSequence key, String text, long lease) {
    PutOption option =
        lease == 0 ? PutOption.DEFAULT : PutOption.builder().withLeaseId(lease).build();
    return Op.put(key, EtcdKeys.bytes(text), option);
  }

  /** Reads the answer to a transaction. */
  CommitAnswer answer(Change change, TxnResponse answer, long revision) {
    if (!answer.isSucceeded()) {
      ReadRequest shown = change.otherwise();
      return new CommitAnswer.Conflict(
          shown == null ? null : reading(shown, answer.getGetResponses().iterator(), revision));
    }
    Kind kind = change.head() == null ? Kind.DELETED : Kind.PRESENT;
    return new CommitAnswer.Committed(kind.version(revision));
  }

  // ------------------------------------------------------------- ranges

  /** Returns the end of the range of keys that begin with a prefix. */
  static ByteSequence endOf(ByteSequence prefix) {
    byte[] end = prefix.getBytes();
    end[end.length - 1]++; // ASCII, so it never wraps around
    return ByteSequence.from(end);
  }

  /** Returns the next key that there may be. */
  static ByteSequence after(ByteSequence key) {
    byte[] bytes = key.getBytes();
    return ByteSequence.from(Arrays.copyOf(bytes, bytes.length + 1));
  }
}
