package io.lockkeeper.cli.admin;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The name of a resource, and its kind where several kinds have it. */
final class Lookup {

  @Parameters(paramLabel = "NAME", description = "The name of the lock, semaphore and so on.")
  String name = "";

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = KindName.class,
      description = {
        "Only this kind: lock, read-write-lock, semaphore, barrier or leader-election.",
        "Default: all that have the name."
      })
  private @Nullable ResourceKind kind;

  /** Returns what somebody holds or waits for. */
  List<ResourceReport> find(Lockkeeper keeper) {
    Stream<ResourceKind> kinds =
        kind == null ? Arrays.stream(ResourceKind.values()) : Stream.of(kind);
    return kinds
        .map(each -> keeper.admin().inspect(each, name))
        .filter(report -> !report.isIdle())
        .toList();
  }
}
