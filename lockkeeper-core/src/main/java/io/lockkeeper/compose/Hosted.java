package io.lockkeeper.compose;

/** Something of a client of this library. */
public interface Hosted {

  /** Returns the client as those see it who build on its locks; one object per client. */
  Host host();
}
