package io.lockkeeper.bench.simulated;

/** How many messages all clients and their server have sent. */
final class Messages {

  private long requests;
  private long replies;
  private long pushes;

  void addRequest() {
    requests++;
  }

  void addReply() {
    replies++;
  }

  void addPush() {
    pushes++;
  }

  long requests() {
    return requests;
  }

  long pushes() {
    return pushes;
  }

  long all() {
    return requests + replies + pushes;
  }
}
