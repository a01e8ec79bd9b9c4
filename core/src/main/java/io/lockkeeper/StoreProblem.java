package io.lockkeeper;

/** The reason why a store refuses a request. Retrying at once would not help. */
public enum StoreProblem {
  /** Fewer replicas than required confirmed the write in time; it has been undone. */
  NOT_REPLICATED,
  /** The record under the resource's key was not written by a version of Lockkeeper known here. */
  FOREIGN_RECORD,
  /** The store has no room. */
  FULL,
  /** The account lacks a right, or the password is wrong. */
  DENIED,
  /** Any other reason that the store gives. */
  OTHER
}
