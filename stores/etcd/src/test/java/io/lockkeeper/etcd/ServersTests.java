package io.lockkeeper.etcd;

import io.lockkeeper.servers.EtcdBinary;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Leaves the tests on a server out where there is none, which is nearly all of this module; {@link
 * EtcdIsThereTest} is skipped for all of them. A continuous integration run must have one.
 */
public final class ServersTests implements PostDiscoveryFilter {

  /** Marks the classes whose tests take a server. */
  static final String TAG = "etcd";

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  /** Returns whether they run. */
  static boolean run() {
    return IS_CI || EtcdBinary.onPath().isPresent();
  }

  @Override
  public FilterResult apply(TestDescriptor test) {
    return FilterResult.includedIf(run() || !test.getTags().contains(TestTag.create(TAG)));
  }
}
