package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/** Where the locks are. A bean of this type comes before all properties. */
@FunctionalInterface
public interface LockkeeperConnectionDetails extends ConnectionDetails {

  /** Connects: by a URL, or to a store of the application's own. */
  Lockkeeper connect(LockkeeperBuilder builder);
}
