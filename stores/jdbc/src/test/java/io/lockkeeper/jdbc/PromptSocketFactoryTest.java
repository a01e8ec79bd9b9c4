package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class PromptSocketFactoryTest {

  private final PromptSocketFactory sockets = new PromptSocketFactory();

  @Test
  void aReadWithTheShortestLimitFailsIfNothingHasArrived() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = sockets.createSocket(server.getInetAddress(), server.getLocalPort())) {
      socket.setSoTimeout(1);
      InputStream in = socket.getInputStream();

      assertThatThrownBy(() -> in.read(new byte[8], 0, 8))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessage("nothing has arrived");
    }
  }

  @Test
  void whatHasArrivedIsRead() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket =
            sockets.createSocket(
                server.getInetAddress(), server.getLocalPort(), server.getInetAddress(), 0);
        Socket other = server.accept()) {
      other.getOutputStream().write(new byte[] {7, 8});
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo(7);
      socket.setSoTimeout(1);

      assertThat(in.read(new byte[8], 0, 8)).isEqualTo(1);
    }
  }

  @Test
  void aReadWithoutALimitWaits() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = sockets.createSocket("127.0.0.1", server.getLocalPort());
        Socket other = server.accept()) {
      Thread later =
          new Thread(
              () -> {
                try {
                  Thread.sleep(50);
                  other.getOutputStream().write(9);
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      later.start();

      assertThat(socket.getInputStream().read(new byte[8], 0, 8)).isEqualTo(1);
      later.join();
    }
  }

  @Test
  void aSocketThatCannotConnectIsClosed() throws Exception {
    int port;
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = gone.getLocalPort();
    }
    assertThatThrownBy(() -> sockets.createSocket("127.0.0.1", port, null, 0))
        .isInstanceOf(java.net.ConnectException.class);
  }
}
