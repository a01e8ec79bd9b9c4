package io.lockkeeper.console;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;

/** What a resource is known by. */
record ResourceKey(ResourceKind kind, String name) {

  static ResourceKey of(ResourceReport report) {
    return new ResourceKey(report.kind(), report.name());
  }
}
