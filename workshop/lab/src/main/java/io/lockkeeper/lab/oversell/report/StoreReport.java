package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import java.util.List;

/**
 * What a contest in one store came to.
 *
 * @param kind the kind of store
 * @param name a short name of the store
 * @param server the store's kind and version, or an empty text if it was skipped
 * @param url where it is; no secrets
 * @param embedded whether it was started for this run alone
 * @param absence why there are no results, or not all, or an empty text
 * @param failed whether that is more than a store that this machine does not have
 * @param results the rows
 */
public record StoreReport(
    StoreKind kind,
    String name,
    String server,
    String url,
    boolean embedded,
    String absence,
    boolean failed,
    List<VariantResult> results) {

  /** Copies. */
  public StoreReport {
    results = List.copyOf(results);
  }

  /** Returns the report of a contest that took place. */
  public static StoreReport of(
      StoreKind kind,
      String name,
      String server,
      String url,
      boolean embedded,
      List<VariantResult> results) {
    return new StoreReport(kind, name, server, url, embedded, "", false, results);
  }

  /** Returns the report of a store that this machine does not have. */
  public static StoreReport skipped(StoreKind kind, String name, String why) {
    return new StoreReport(kind, name, "", "", true, "skipped: " + why, false, List.of());
  }

  /** Returns the report of a contest that could not begin, or not go on after some rows. */
  public static StoreReport failed(
      StoreKind kind, String name, String server, String why, List<VariantResult> results) {
    String what = results.isEmpty() ? "could not run: " : "could not go on: ";
    return new StoreReport(kind, name, server, "", true, what + why, true, results);
  }

  /** Returns whether every row kept its promises. */
  public boolean isGood() {
    return results.stream().allMatch(row -> row.problems().isEmpty());
  }

  /** Returns the server and whether it was started for the run. */
  public String describe() {
    return server + (embedded ? ", started for this run" : "");
  }
}
