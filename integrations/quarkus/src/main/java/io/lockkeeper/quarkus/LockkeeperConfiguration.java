package io.lockkeeper.quarkus;

import io.quarkus.runtime.annotations.ConfigPhase;
import io.quarkus.runtime.annotations.ConfigRoot;
import io.smallrye.config.ConfigMapping;
import java.util.Map;
import java.util.Optional;

/**
 * The properties {@code lockkeeper.*}, as texts: the core reads them, so that they mean the same
 * everywhere. Quarkus refuses others.
 */
@ConfigMapping(prefix = "lockkeeper")
@ConfigRoot(phase = ConfigPhase.RUN_TIME)
public interface LockkeeperConfiguration {

  /** The address of the store. */
  Optional<String> url();

  /** Separates these locks from others on the same store. Default quarkus.application.name. */
  Optional<String> namespace();

  /** When the client connects: eager, lazy or background. Default eager. */
  Optional<String> connect();

  /** The name of this client, which people see at the store. */
  Optional<String> clientName();

  /** How long a hold lasts without renewal. */
  Optional<String> lease();

  /** How often a hold is renewed. */
  Optional<String> renewalInterval();

  /** How long a wait goes on without any answer from the store. */
  Optional<String> storeTimeout();

  /** The properties {@code lockkeeper.deadlocks.*}. */
  Deadlocks deadlocks();

  /** Options of locks, by patterns of their names. */
  Map<String, Map<String, String>> locks();

  /** Properties of {@code lockkeeper-junit}, which reads them itself. */
  Map<String, String> test();

  /** The properties {@code lockkeeper.deadlocks.*}. */
  interface Deadlocks {

    /** Whether deadlocks are looked for. */
    Optional<String> detect();

    /** How long a thread that holds a lock waits for another before it checks for a deadlock. */
    Optional<String> check();

    /** Whether a wait of this client may be ended to break a deadlock. */
    Optional<String> breakCycles();
  }
}
