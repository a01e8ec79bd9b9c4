package io.lockkeeper.kotlin

import io.lockkeeper.LeaseLostException

/** The fate of a block whose lease is lost while it runs. */
public enum class LossAction {
  /**
   * The block goes on. If it then throws nothing, the call throws a [LeaseLostException], because
   * the block may not have been alone.
   */
  REPORT,

  /** The block is cancelled, and the call throws a [LeaseLostException]. */
  CANCEL,
}
