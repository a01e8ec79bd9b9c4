package io.lockkeeper.cli.admin;

import io.lockkeeper.CellReport;
import io.lockkeeper.ClientInfo;
import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reports who holds and who waits, as maps for JSON; or what cells there are. */
final class ReportJson {

  private ReportJson() {}

  static Map<String, @Nullable Object> cell(CellReport report) {
    OptionalLong number = report.number();
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("name", report.name());
    map.put("kind", report.kind().toString());
    map.put("number", number.isPresent() ? number.getAsLong() : null);
    map.put("bytes", report.size());
    return map;
  }

  static Map<String, @Nullable Object> resource(ResourceReport report) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("name", report.name());
    map.put("kind", KindName.of(report.kind()));
    map.put("limit", orNull(report.limit()));
    map.put("holders", report.holders().stream().map(ReportJson::holder).toList());
    map.put("waiters", report.waiters().stream().map(ReportJson::waiter).toList());
    return map;
  }

  private static Map<String, @Nullable Object> holder(HolderReport holder) {
    Map<String, @Nullable Object> map = client(holder.client(), holder.thread());
    map.put("token", holder.token());
    map.put("permits", orNull(holder.permits()));
    map.put("heldMillis", holder.held().toMillis());
    map.put("leaseLeftMillis", holder.leaseLeft().toMillis());
    map.put("resting", holder.resting());
    return map;
  }

  private static Map<String, @Nullable Object> waiter(WaiterReport waiter) {
    Map<String, @Nullable Object> map = client(waiter.client(), waiter.thread());
    map.put("position", waiter.position());
    map.put("permits", orNull(waiter.permits()));
    map.put("waitedMillis", waiter.waited().toMillis());
    return map;
  }

  private static @Nullable Integer orNull(OptionalInt number) {
    return number.isPresent() ? number.getAsInt() : null;
  }

  private static Map<String, @Nullable Object> client(ClientInfo client, @Nullable String thread) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    map.put("clientId", client.id());
    map.put("client", client.name());
    map.put("host", client.host());
    map.put("pid", client.pid());
    map.put("thread", thread);
    return map;
  }
}
