package io.lockkeeper.micrometer;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of {@link ObservedLocks} and their keys. */
public enum LockObservationDocumentation implements ObservationDocumentation {

  /** From the request to the lock, or to the end of the attempt. */
  ACQUIRE {
    @Override
    public KeyName[] getLowCardinalityKeyNames() {
      return KeyName.merge(CommonKeys.values(), AcquireKeys.values());
    }
  },

  /** From the acquisition to the release or the loss. */
  HOLD {
    @Override
    public KeyName[] getLowCardinalityKeyNames() {
      return KeyName.merge(CommonKeys.values(), HoldKeys.values());
    }
  };

  @Override
  public Class<? extends ObservationConvention<? extends Observation.Context>>
      getDefaultConvention() {
    return DefaultLockObservationConvention.class;
  }

  @Override
  public KeyName[] getHighCardinalityKeyNames() {
    return HighCardinalityKeys.values();
  }

  @Override
  public String getPrefix() {
    return "";
  }

  /** The low-cardinality keys that both have. */
  public enum CommonKeys implements KeyName {

    /** A template of the name, {@code none} by default. */
    LOCK {
      @Override
      public String asString() {
        return "lock";
      }
    },

    /** The kind of the resource, such as {@code lock} or {@code semaphore}. */
    KIND {
      @Override
      public String asString() {
        return "kind";
      }
    },

    /** The way in which it was asked for, such as {@code fair} or {@code read}. */
    MODE {
      @Override
      public String asString() {
        return "mode";
      }
    }
  }

  /** The low-cardinality keys of an attempt. */
  public enum AcquireKeys implements KeyName {

    /** The way by which it came, {@code none} if it did not. */
    VIA {
      @Override
      public String asString() {
        return "via";
      }
    },

    /** {@code acquired}, or why not, such as {@code timeout}. */
    OUTCOME {
      @Override
      public String asString() {
        return "outcome";
      }
    }
  }

  /** The low-cardinality key of a hold. */
  public enum HoldKeys implements KeyName {

    /** {@code released} or {@code lost}. */
    OUTCOME {
      @Override
      public String asString() {
        return "outcome";
      }
    }
  }

  /** The high-cardinality keys that both have. */
  public enum HighCardinalityKeys implements KeyName {

    /** The name of the resource. */
    NAME {
      @Override
      public String asString() {
        return "lockkeeper.lock.name";
      }
    },

    /** The fencing token, once it was acquired. */
    TOKEN {
      @Override
      public String asString() {
        return "lockkeeper.token";
      }

      @Override
      public boolean isRequired() {
        return false;
      }
    }
  }
}
