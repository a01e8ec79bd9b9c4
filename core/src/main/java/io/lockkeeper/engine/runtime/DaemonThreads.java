package io.lockkeeper.engine.runtime;

/** Makes this library's own threads: daemons, with a name that tells whose they are. */
final class DaemonThreads {

  private DaemonThreads() {}

  static Thread create(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
