package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.record.Change;
import io.lockkeeper.spi.record.Entry;
import io.lockkeeper.spi.record.Reading;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * How a record is an item.
 *
 * <table>
 *   <caption>Its attributes</caption>
 *   <tr><td>{@code k}</td><td>the key of the record, which is the partition key</td></tr>
 *   <tr><td>{@code v}</td><td>its version: odd if it is there, even if it was deleted</td></tr>
 *   <tr><td>{@code h}</td><td>its head; not there if it was deleted</td></tr>
 *   <tr><td>{@code e}</td><td>its entries in order: a name, a text, a name, a text ...</td></tr>
 *   <tr><td>{@code ttl}</td><td>of one that was deleted: when DynamoDB may remove it</td></tr>
 * </table>
 */
final class Items {

  static final String KEY = "k";
  private static final String VERSION = "v";
  static final String HEAD = "h";
  private static final String ENTRIES = "e";
  private static final String TIME_TO_LIVE = "ttl";

  private static final String IS_EXPECTED = VERSION + " = :expected";

  private Items() {}

  static Map<String, AttributeValue> key(String key) {
    return Map.of(KEY, text(key));
  }

  static AttributeValue text(String text) {
    return AttributeValue.fromS(text);
  }

  private static AttributeValue number(long number) {
    return AttributeValue.fromN(String.valueOf(number));
  }

  /** Returns the record that an item is, or is the tombstone of. */
  static Reading reading(Map<String, AttributeValue> item) {
    long version = Long.parseLong(attribute(item, VERSION).n());
    AttributeValue head = item.get(HEAD);
    if (head == null) {
      return Reading.absent(version);
    }
    List<AttributeValue> texts = attribute(item, ENTRIES).l();
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i + 1 < texts.size(); i += 2) {
      entries.add(new Entry(texts.get(i).s(), texts.get(i + 1).s()));
    }
    return Reading.of(version, head.s(), entries);
  }

  static AttributeValue attribute(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    if (value == null) {
      throw new IllegalStateException("the item has no attribute " + name);
    }
    return value;
  }

  /** Returns whether a version is that of a record, and not of the absence of one. */
  static boolean isThere(long version) {
    return (version & 1) == 1;
  }

  /** Returns the version after a change, the next that says whether the record is there. */
  static long versionAfter(Change change) {
    boolean isThere = change.head() != null;
    return change.expected() + (isThere(change.expected()) == isThere ? 2 : 1);
  }

  /**
   * Returns the request that makes a change.
   *
   * @param after the record after it
   * @param mayBeMissing whether no item at all is the absence that is expected
   * @param endOfTombstone when a tombstone may go, in seconds
   */
  static PutItemRequest put(
      String table, Change change, Reading after, boolean mayBeMissing, long endOfTombstone) {
    Map<String, AttributeValue> item = new HashMap<>(key(change.key()));
    item.put(VERSION, number(after.version()));
    String head = after.head();
    if (head == null) {
      item.put(TIME_TO_LIVE, number(endOfTombstone));
    } else {
      List<AttributeValue> texts = new ArrayList<>();
      for (Entry entry : after.entries()) {
        texts.add(text(entry.name()));
        texts.add(text(entry.text()));
      }
      item.put(HEAD, text(head));
      item.put(ENTRIES, AttributeValue.fromL(texts));
    }
    return PutItemRequest.builder()
        .tableName(table)
        .item(item)
        .conditionExpression(
            mayBeMissing ? "attribute_not_exists(" + VERSION + ") OR " + IS_EXPECTED : IS_EXPECTED)
        .expressionAttributeValues(Map.of(":expected", number(change.expected())))
        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
        .build();
  }
}
