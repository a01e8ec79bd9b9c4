package io.lockkeeper.engine.state;

/** A completion that is only written down. */
final class RecordedCompletion implements Completion {

  boolean done;
  RuntimeException failure;

  @Override
  public void done() {
    done = true;
  }

  @Override
  public void fail(RuntimeException why) {
    failure = why;
  }
}
