package io.lockkeeper.console;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;

/** The key by which a resource is known. */
record ResourceKey(ResourceKind kind, String name) {

  static ResourceKey of(ResourceReport report) {
    return new ResourceKey(report.kind(), report.name());
  }
}
