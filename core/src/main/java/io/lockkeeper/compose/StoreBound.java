package io.lockkeeper.compose;

/** A client, or a lock, that tells where it is. */
public interface StoreBound {

  /** Returns the client as those see it who build on its locks; one object per client. */
  Host host();

  /**
   * Returns where its resources are: the store, the namespace and, of a lock, the kind of resource
   * if it is not that of {@code lock}. Two locks of one name and one place are one resource.
   */
  String place();
}
