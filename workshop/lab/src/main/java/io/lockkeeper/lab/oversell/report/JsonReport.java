package io.lockkeeper.lab.oversell.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockkeeper.lab.oversell.contest.ArrivalCheck;
import io.lockkeeper.lab.oversell.contest.Plan;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.report.Machine;
import java.util.OptionalDouble;

/**
 * The report for programs. The format is described by {@code oversell-report.schema.json} beside
 * this class; a change that readers could trip over gets a new number in {@link #FORMAT}.
 */
public final class JsonReport {

  /** Names the format. */
  static final String FORMAT = "lockkeeper-oversell-report/2";

  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonReport() {}

  /** Returns the document. */
  public static String write(ContestReport report) {
    ObjectNode root = JSON.createObjectNode();
    root.put("format", FORMAT);
    root.put("started", report.started().toString());
    root.put("commandLine", report.commandLine());
    root.put("seed", report.plan().seed());
    root.set("machine", machine(report.machine()));
    ObjectNode versions = root.putObject("versions").put("java", Machine.jdk());
    report.machine().versions().forEach(versions::put);
    root.set("load", load(report.plan()));
    ArrayNode stores = root.putArray("stores");
    report.stores().forEach(store -> stores.add(store(store)));
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write the report", e);
    }
  }

  private static ObjectNode machine(Machine machine) {
    return JSON.createObjectNode()
        .put("processor", machine.processor())
        .put("cores", machine.cores())
        .put("memoryBytes", machine.memoryBytes())
        .put("system", machine.system());
  }

  private static ObjectNode load(Plan plan) {
    return JSON.createObjectNode()
        .put("processes", plan.processes())
        .put("threadsPerProcess", plan.threads())
        .put("ordersPerThread", plan.orders())
        .put("orders", plan.totalOrders())
        .put("stock", plan.stock())
        .put("warmUpMillis", plan.warmUp().toMillis());
  }

  private static ObjectNode store(StoreReport store) {
    ObjectNode node =
        JSON.createObjectNode()
            .put("name", store.name())
            .put("server", store.server())
            .put("url", store.url())
            .put("embedded", store.embedded())
            .put("absence", store.absence());
    ArrayNode variants = node.putArray("variants");
    store.results().forEach(row -> variants.add(variant(row)));
    return node;
  }

  private static ObjectNode variant(VariantResult row) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", row.strategy().name())
        .put("summary", row.strategy().summary())
        .put("locked", row.isLocked())
        .put("processes", row.processes())
        .put("threadsPerProcess", row.threads())
        .put("elapsedMicros", row.elapsedNanos() / 1_000)
        .put("ordersPerSecond", row.ordersPerSecond())
        .put("ordersDone", row.ordersDone())
        .put("ordersFailed", row.ordersFailed())
        .put("ordersGivenUp", row.ordersGivenUp());
    ObjectNode givenUp = node.putObject("givenUp");
    row.givenUp().forEach(givenUp::put);
    node.set("waitMicros", waits(row));
    put(node, "commandsPerOrder", row.commandsPerOrder());
    put(node, "scriptCommandsPerOrder", row.scriptCommandsPerOrder());
    node.put("stockLeft", row.books().stockLeft())
        .put("sold", row.books().sold())
        .put("oversold", row.oversold())
        .put("lost", row.lost())
        .put("tokenRegressions", row.books().tokenRegressions());
    node.set("arrivals", arrivals(row));
    ArrayNode problems = node.putArray("problems");
    row.problems().forEach(problems::add);
    return node;
  }

  private static void put(ObjectNode node, String name, OptionalDouble number) {
    if (number.isPresent()) {
      node.put(name, number.getAsDouble());
    } else {
      node.putNull(name);
    }
  }

  private static ObjectNode waits(VariantResult row) {
    return JSON.createObjectNode()
        .put("mean", Math.round(row.waits().getMean() / 1_000))
        .put("p50", row.waitNanos(50) / 1_000)
        .put("p90", row.waitNanos(90) / 1_000)
        .put("p99", row.waitNanos(99) / 1_000)
        .put("p999", row.waitNanos(99.9) / 1_000)
        .put("max", row.waitNanos(100) / 1_000);
  }

  private static JsonNode arrivals(VariantResult row) {
    ArrivalCheck check = row.arrivals();
    if (check == null) {
      return JSON.nullNode();
    }
    return JSON.createObjectNode()
        .put("grants", check.grants())
        .put("queued", check.queued())
        .put("violations", check.violations());
  }
}
