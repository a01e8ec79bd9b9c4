package io.lockkeeper.jdbc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.SocketFactory;

/**
 * Makes sockets for PostgreSQL's driver that do not wait where it only asks whether there is more.
 * Its name is the value of the driver's parameter {@code socketFactory}.
 *
 * <p>When the driver has received a notification it reads on with the shortest time limit there is,
 * a millisecond, before it gives the notification out. With these sockets such a read fails at once
 * if nothing has arrived. A URL that Lockkeeper is connected with has this parameter unless it has
 * another {@code socketFactory}; a data source can be given it.
 */
public final class PromptSocketFactory extends SocketFactory {

  /** The time limit by which the driver asks whether there is more. */
  private static final int ASKS_MILLIS = 1;

  /** Creates it. */
  public PromptSocketFactory() {}

  /** A socket whose reads with the shortest time limit do not wait. */
  private static final class PromptSocket extends Socket {

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
          if (getSoTimeout() == ASKS_MILLIS && available() == 0) {
            throw new SocketTimeoutException("nothing has arrived");
          }
          return super.read(bytes, offset, length);
        }
      };
    }
  }

  /** Returns a socket that is not connected yet. */
  @Override
  public Socket createSocket() {
    return new PromptSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return createSocket(InetAddress.getByName(host), port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return createSocket(InetAddress.getByName(host), port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return createSocket(host, port, new InetSocketAddress(0).getAddress(), 0);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    Socket socket = createSocket();
    try {
      socket.bind(new InetSocketAddress(local, localPort));
      socket.connect(new InetSocketAddress(host, port));
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }
}
