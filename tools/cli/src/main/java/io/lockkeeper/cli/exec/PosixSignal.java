package io.lockkeeper.cli.exec;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The signals that people and systems send to programs, as far as a JVM lets them through. It keeps
 * SIGQUIT, and SIGUSR2 unless the start script has given it another signal instead.
 *
 * <p>The JDK has no public interface for signals. The one that it has is reached by reflection,
 * because to name it is a warning that cannot be silenced; where it is missing the JVM ends at a
 * signal as it always does.
 */
enum PosixSignal {
  /** Ctrl-C. */
  INT(2),
  /** The terminal is gone. */
  HUP(1),
  /** An ordinary kill. */
  TERM(15),
  /** A timer, as of {@code timeout -s ALRM}. */
  ALRM(14),
  /** The action of a program; without one the signal ends it. */
  USR1(isMac() ? 30 : 10),
  /** The same. */
  USR2(isMac() ? 31 : 12);

  /** Says which signal a JVM is to use instead of SIGUSR2; set by the start script. */
  static final String INSTEAD_OF_USR2 = "_JAVA_SR_SIGNUM";

  /** The action that the start script sets. */
  static final String STKFLT = "16";

  private static final String SIGNAL = "sun.misc.Signal";
  private static final String HANDLER = "sun.misc.SignalHandler";
  private static final long KILL_SECONDS = 5;

  private final int number;

  PosixSignal(int number) {
    this.number = number;
  }

  private static boolean isMac() {
    return System.getProperty("os.name", "").startsWith("Mac");
  }

  /** Returns the exit status of a process that this signal has ended. */
  int status() {
    return ExecStatus.SIGNAL_BASE + number;
  }

  /** Calls {@code action} whenever this process gets the signal, unless that is ignored. */
  void handle(Consumer<PosixSignal> action) {
    install(
        handlerType ->
            Proxy.newProxyInstance(
                PosixSignal.class.getClassLoader(),
                new Class<?>[] {handlerType},
                (proxy, method, arguments) -> {
                  action.accept(this);
                  return null;
                }));
  }

  /** Ends this process by the signal itself, so that the shell knows of it. */
  void raise() {
    if (install(handlerType -> handlerType.getField("SIG_DFL").get(null))) {
      sendTo(ProcessHandle.current());
    } // else the exit status has to do
  }

  /** Makes a handler of this type. */
  private interface HandlerMaker {
    Object make(Class<?> handlerType) throws ReflectiveOperationException;
  }

  /** Returns whether it could; if not, the JVM keeps its own way. */
  private boolean install(HandlerMaker maker) {
    try {
      Class<?> type = Class.forName(SIGNAL);
      Class<?> handlerType = Class.forName(HANDLER);
      Object signal = type.getConstructor(String.class).newInstance(name());
      Object handler = maker.make(handlerType);
      type.getMethod("handle", type, handlerType).invoke(null, signal, handler);
      return true;
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Sends it to a process. */
  void sendTo(ProcessHandle process) {
    if (this == TERM) {
      process.destroy();
      return;
    }
    try {
      // The shell's own kill: a program of that name need not be on the path.
      Process kill =
          new ProcessBuilder(
                  "/bin/sh", "-c", "kill -s \"$0\" \"$1\"", name(), String.valueOf(process.pid()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill.waitFor(KILL_SECONDS, TimeUnit.SECONDS);
    } catch (IOException e) {
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
