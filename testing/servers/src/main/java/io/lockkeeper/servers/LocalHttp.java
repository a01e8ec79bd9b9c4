package io.lockkeeper.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a server of this machine. Each has its own connection, so none meets the moment at
 * which the server closes an idle one, and none is sent twice. The JDK's newer client cannot read
 * the trailers with which etcd ends its answers, when assertions are on.
 */
final class LocalHttp {

  private static final int LIMIT_MILLIS = 10_000;

  private LocalHttp() {}

  /**
   * Sends a request and returns the answer.
   *
   * @param body null for a GET request
   * @param trust null without TLS
   * @throws IllegalStateException if the server answers an error or nothing
   */
  static String send(
      URI uri, Map<String, String> headers, @Nullable String body, @Nullable SSLContext trust) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      if (trust != null) {
        ((HttpsURLConnection) connection).setSSLSocketFactory(trust.getSocketFactory());
      }
      connection.setConnectTimeout(LIMIT_MILLIS);
      connection.setReadTimeout(LIMIT_MILLIS);
      connection.setRequestProperty("Connection", "close");
      headers.forEach(connection::setRequestProperty);
      if (body != null) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(bytes.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(bytes);
        }
      }
      boolean isDone = connection.getResponseCode() == HttpURLConnection.HTTP_OK;
      String answer = read(isDone ? connection.getInputStream() : connection.getErrorStream());
      if (!isDone) {
        throw new IllegalStateException("error from " + uri + ": " + answer);
      }
      return answer;
    } catch (IOException e) {
      throw new IllegalStateException("no answer from " + uri, e);
    }
  }

  private static String read(@Nullable InputStream answer) throws IOException {
    try (InputStream open = answer) {
      return open == null ? "" : new String(open.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
