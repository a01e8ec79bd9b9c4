package io.lockkeeper.spring.boot;

import io.lockkeeper.LockOptions;
import io.lockkeeper.spring.InsideTransaction;
import io.lockkeeper.spring.LockSettings;
import io.lockkeeper.spring.OnLoss;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.util.PatternMatchUtils;

/**
 * The properties {@code lockkeeper.*}.
 *
 * <p>This file is long because each property has a field and its two methods.
 */
@ConfigurationProperties("lockkeeper")
public class LockkeeperProperties {

  /** Address of the store. Without it, the application's Redis or database is used. */
  private @Nullable String url;

  /** Which kind of store of the application to use if there is no URL. Default the first. */
  private @Nullable StoreKind store;

  /** Name of the application's bean to use as the store, if there are several. */
  private @Nullable String storeBean;

  /** When the client connects. */
  private Connect connect = Connect.EAGER;

  /** Whether acquisitions and holds are observed, for traces. */
  private boolean observations;

  /** Separates these locks from others on the same store. Default spring.application.name. */
  private @Nullable String namespace;

  /** Name of this client, which people see at the store. Default host and process. */
  private @Nullable String clientName;

  /** How long a hold lasts without renewal: how long a crashed holder blocks the others. */
  private @Nullable Duration lease;

  /** How often a hold is renewed. Default a third of the lease. */
  private @Nullable Duration renewalInterval;

  /** How long a wait goes on without any answer from the store. */
  private @Nullable Duration storeTimeout;

  /** Options of locks, by patterns of their names; the longest pattern counts. */
  private final Map<String, Lock> locks = new LinkedHashMap<>();

  @NestedConfigurationProperty private final Deadlocks deadlocks = new Deadlocks();

  @NestedConfigurationProperty private final Annotation annotation = new Annotation();

  /** The stores that an application may have of its own. */
  public enum StoreKind {
    /** The application's Redis, through Lettuce. */
    REDIS,
    /** The application's database. */
    JDBC,
    /** The application's ZooKeeper, through Curator. */
    ZOOKEEPER
  }

  /** The times at which the client connects. */
  public enum Connect {
    /** At the start, which fails if the store does not answer. */
    EAGER,
    /** At the first use, such as the first lock or the first look at the health. */
    LAZY,
    /** In the background: the application starts without its store. */
    BACKGROUND
  }

  /** The properties {@code lockkeeper.deadlocks.*}. */
  public static class Deadlocks {

    /** Whether deadlocks are looked for. */
    private boolean detect = true;

    /** How long a thread that holds a lock waits for another before it checks for a deadlock. */
    private @Nullable Duration check;

    /** Whether a wait of this client may be ended to break a deadlock. */
    private boolean breakCycles;

    /** Returns whether deadlocks are looked for. */
    public boolean isDetect() {
      return detect;
    }

    /** Sets whether deadlocks are looked for. */
    public void setDetect(boolean detect) {
      this.detect = detect;
    }

    /** Returns how long a thread waits before it checks. */
    public @Nullable Duration getCheck() {
      return check;
    }

    /** Sets how long a thread waits before it checks. */
    public void setCheck(@Nullable Duration check) {
      this.check = check;
    }

    /** Returns whether a wait of this client may be ended. */
    public boolean isBreakCycles() {
      return breakCycles;
    }

    /** Sets whether a wait of this client may be ended. */
    public void setBreakCycles(boolean breakCycles) {
      this.breakCycles = breakCycles;
    }
  }

  /** The properties {@code lockkeeper.annotation.*}. */
  public static class Annotation {

    /** Whether the annotation has an effect. */
    private boolean enabled = true;

    /** How long methods wait at most that do not say it. Default as long as it takes. */
    private @Nullable Duration waitTime;

    /** The action if a lock would be released before the commit of a transaction. */
    private InsideTransaction insideTransaction = InsideTransaction.WARN;

    /** The action if a lease is lost while a method runs. */
    private OnLoss onLoss = OnLoss.EVENT;

    /** Returns whether the annotation has an effect. */
    public boolean isEnabled() {
      return enabled;
    }

    /** Sets whether the annotation has an effect. */
    public void setEnabled(boolean enabled) {
      this.enabled = enabled;
    }

    /** Returns how long methods wait at most. */
    public @Nullable Duration getWaitTime() {
      return waitTime;
    }

    /** Sets how long methods wait at most. */
    public void setWaitTime(@Nullable Duration waitTime) {
      this.waitTime = waitTime;
    }

    /** Returns what happens inside a transaction. */
    public InsideTransaction getInsideTransaction() {
      return insideTransaction;
    }

    /** Sets what happens inside a transaction. */
    public void setInsideTransaction(InsideTransaction insideTransaction) {
      this.insideTransaction = insideTransaction;
    }

    /** Returns what happens on a loss. */
    public OnLoss getOnLoss() {
      return onLoss;
    }

    /** Sets what happens on a loss. */
    public void setOnLoss(OnLoss onLoss) {
      this.onLoss = onLoss;
    }
  }

  /** The properties {@code lockkeeper.locks.<pattern>.*}. */
  public static class Lock {

    /** How long a hold lasts without renewal. */
    private @Nullable Duration lease;

    /** How often the lock is handed off inside this client while another client waits. */
    private @Nullable Integer maxLocalHandoffs;

    /** How long a released lock is kept while nobody else waits. */
    private @Nullable Duration retention;

    /** Whether a thread that holds the lock acquires it again. */
    private boolean reentrant = true;

    /** Whether a release waits until the store has confirmed it. */
    private boolean confirmedRelease;

    /** Returns how long a hold lasts without renewal. */
    public @Nullable Duration getLease() {
      return lease;
    }

    /** Sets how long a hold lasts without renewal. */
    public void setLease(@Nullable Duration lease) {
      this.lease = lease;
    }

    /** Returns how often the lock is handed off inside this client. */
    public @Nullable Integer getMaxLocalHandoffs() {
      return maxLocalHandoffs;
    }

    /** Sets how often the lock is handed off inside this client. */
    public void setMaxLocalHandoffs(@Nullable Integer maxLocalHandoffs) {
      this.maxLocalHandoffs = maxLocalHandoffs;
    }

    /** Returns how long a released lock is kept. */
    public @Nullable Duration getRetention() {
      return retention;
    }

    /** Sets how long a released lock is kept. */
    public void setRetention(@Nullable Duration retention) {
      this.retention = retention;
    }

    /** Returns whether the lock is re-entrant. */
    public boolean isReentrant() {
      return reentrant;
    }

    /** Sets whether the lock is re-entrant. */
    public void setReentrant(boolean reentrant) {
      this.reentrant = reentrant;
    }

    /** Returns whether a release waits. */
    public boolean isConfirmedRelease() {
      return confirmedRelease;
    }

    /** Sets whether a release waits. */
    public void setConfirmedRelease(boolean confirmedRelease) {
      this.confirmedRelease = confirmedRelease;
    }

    /** Returns the options, whose properties begin with {@code prefix}. */
    LockOptions options(String prefix) {
      LockOptions options =
          LockOptions.defaults().withReentrant(reentrant).withConfirmedRelease(confirmedRelease);
      options = Setting.apply(prefix + "lease", lease, options, LockOptions::withLease);
      options =
          Setting.apply(
              prefix + "max-local-handoffs",
              maxLocalHandoffs,
              options,
              LockOptions::withMaxLocalHandoffs);
      return Setting.apply(prefix + "retention", retention, options, LockOptions::withRetention);
    }
  }

  /** Returns the address of the store. */
  public @Nullable String getUrl() {
    return url;
  }

  /** Sets the address of the store. */
  public void setUrl(@Nullable String url) {
    this.url = url;
  }

  /** Returns which store of the application to use. */
  public @Nullable StoreKind getStore() {
    return store;
  }

  /** Sets which store of the application to use. */
  public void setStore(@Nullable StoreKind store) {
    this.store = store;
  }

  /** Returns the name of the bean to use as the store. */
  public @Nullable String getStoreBean() {
    return storeBean;
  }

  /** Sets the name of the bean to use as the store. */
  public void setStoreBean(@Nullable String storeBean) {
    this.storeBean = storeBean;
  }

  /** Returns when the client connects. */
  public Connect getConnect() {
    return connect;
  }

  /** Sets when the client connects. */
  public void setConnect(Connect connect) {
    this.connect = connect;
  }

  /** Returns whether acquisitions and holds are observed. */
  public boolean isObservations() {
    return observations;
  }

  /** Sets whether acquisitions and holds are observed. */
  public void setObservations(boolean observations) {
    this.observations = observations;
  }

  /** Returns the namespace. */
  public @Nullable String getNamespace() {
    return namespace;
  }

  /** Sets the namespace. */
  public void setNamespace(@Nullable String namespace) {
    this.namespace = namespace;
  }

  /** Returns the client's name. */
  public @Nullable String getClientName() {
    return clientName;
  }

  /** Sets the client's name. */
  public void setClientName(@Nullable String clientName) {
    this.clientName = clientName;
  }

  /** Returns how long a hold lasts without renewal. */
  public @Nullable Duration getLease() {
    return lease;
  }

  /** Sets how long a hold lasts without renewal. */
  public void setLease(@Nullable Duration lease) {
    this.lease = lease;
  }

  /** Returns how often a hold is renewed. */
  public @Nullable Duration getRenewalInterval() {
    return renewalInterval;
  }

  /** Sets how often a hold is renewed. */
  public void setRenewalInterval(@Nullable Duration renewalInterval) {
    this.renewalInterval = renewalInterval;
  }

  /** Returns how long a wait goes on without any answer. */
  public @Nullable Duration getStoreTimeout() {
    return storeTimeout;
  }

  /** Sets how long a wait goes on without any answer. */
  public void setStoreTimeout(@Nullable Duration storeTimeout) {
    this.storeTimeout = storeTimeout;
  }

  /** Returns the options of locks by patterns. */
  public Map<String, Lock> getLocks() {
    return locks;
  }

  /** Returns what is said of deadlocks. */
  public Deadlocks getDeadlocks() {
    return deadlocks;
  }

  /** Returns what is said of the annotation. */
  public Annotation getAnnotation() {
    return annotation;
  }

  /** Returns the options of locks by patterns of their names, the longest first. */
  Map<String, LockOptions> options() {
    Map<String, LockOptions> options = new LinkedHashMap<>();
    locks.entrySet().stream()
        .sorted(Comparator.comparing(lock -> -lock.getKey().length()))
        .forEach(
            lock ->
                options.put(
                    lock.getKey(),
                    lock.getValue().options("lockkeeper.locks[" + lock.getKey() + "].")));
    return options;
  }

  LockSettings settings() {
    Map<String, LockOptions> options = options();
    LockSettings settings =
        LockSettings.defaults()
            .withInsideTransaction(annotation.insideTransaction)
            .withOnLoss(annotation.onLoss)
            .withOptions(
                name ->
                    options.entrySet().stream()
                        .filter(entry -> PatternMatchUtils.simpleMatch(entry.getKey(), name))
                        .map(Map.Entry::getValue)
                        .findFirst()
                        .orElse(LockOptions.defaults()));
    return Setting.apply(
        "lockkeeper.annotation.wait-time",
        annotation.waitTime,
        settings,
        LockSettings::withWaitTime);
  }
}
