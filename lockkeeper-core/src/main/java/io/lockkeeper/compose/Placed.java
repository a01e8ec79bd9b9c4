package io.lockkeeper.compose;

/** A lock that tells where it is. */
public interface Placed extends Hosted {

  /**
   * Returns what names this lock's resource among all of its name: the store, the namespace and the
   * kind. Two of one name and one place are one resource.
   */
  String place();
}
