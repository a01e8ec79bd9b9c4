package io.lockkeeper.dynamodb;

import io.lockkeeper.servers.DynamoDbServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/** A table as it is. */
final class RawTable {

  private static final Map<DynamoDbServer, DynamoDbAsyncClient> CLIENTS = new ConcurrentHashMap<>();

  private final DynamoDbAsyncClient client;
  private final String name;

  RawTable(DynamoDbServer server, String name) {
    this.client =
        CLIENTS.computeIfAbsent(
            server,
            it ->
                DynamoDbAsyncClient.builder()
                    .region(Region.of("local"))
                    .endpointOverride(URI.create(it.endpoint()))
                    .build());
    this.name = name;
  }

  /** Returns all items. */
  List<Map<String, AttributeValue>> items() {
    List<Map<String, AttributeValue>> all = new ArrayList<>();
    client
        .scanPaginator(ScanRequest.builder().tableName(name).consistentRead(true).build())
        .items()
        .subscribe(all::add)
        .join();
    return all;
  }

  /** Returns the keys of the records that are there. */
  List<String> keys() {
    return items().stream()
        .filter(item -> item.containsKey(Items.HEAD))
        .map(RawTable::key)
        .toList();
  }

  /** Returns the item of a key. */
  Map<String, AttributeValue> item(String key) {
    return client
        .getItem(get -> get.tableName(name).key(Items.key(key)).consistentRead(true))
        .join()
        .item();
  }

  void delete(String key) {
    client.deleteItem(delete -> delete.tableName(name).key(Items.key(key))).join();
  }

  static String key(Map<String, AttributeValue> item) {
    return Items.attribute(item, Items.KEY).s();
  }
}
