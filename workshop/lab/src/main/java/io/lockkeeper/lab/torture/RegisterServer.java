package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.load.MemoryRegister;
import io.lockkeeper.lab.load.Register;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The guarded register, for the workers: a line for each write, a line for each answer. */
final class RegisterServer implements AutoCloseable {

  static final String TAKEN = "taken";
  private static final String REFUSED = "refused";
  private static final int FIELDS = 4;

  private final Register register;
  private final ServerSocket listener;

  RegisterServer(Recorder recorder) {
    register = new MemoryRegister(recorder);
    try {
      listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    daemon(this::acceptAll);
  }

  /** Returns the register itself. */
  Register register() {
    return register;
  }

  int port() {
    return listener.getLocalPort();
  }

  private void acceptAll() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        daemon(() -> serve(socket));
      } catch (IOException e) {
        // closed, which ends the loop
      }
    }
  }

  private void serve(Socket socket) {
    try (socket;
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String answer = (write(line) ? TAKEN : REFUSED) + "\n";
        socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // the worker is gone
    }
  }

  private boolean write(String line) {
    String[] fields = line.split("\t", -1);
    return fields.length == FIELDS
        && register.write(
            fields[0], fields[1], Long.parseLong(fields[2]), Long.parseLong(fields[3]));
  }

  private static void daemon(Runnable task) {
    Thread thread = new Thread(task, "register");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
