package io.lockkeeper.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A toy of a Redis server: it grants whatever is asked for. */
final class ToyRedis implements AutoCloseable {

  private static final String GREETING =
      "%3\r\n+server\r\n+redis\r\n+version\r\n+7.0.0\r\n+proto\r\n:3\r\n";

  private static final int CLAIM = 13;
  private static final int RENEW = 12;

  private final ServerSocket door;

  ToyRedis() throws IOException {
    door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    inBackground(this::admit);
  }

  String url() {
    return "redis://127.0.0.1:" + door.getLocalPort();
  }

  private static void inBackground(Runnable work) {
    Thread thread = new Thread(work, "toy-redis");
    thread.setDaemon(true);
    thread.start();
  }

  private void admit() {
    try {
      while (true) {
        Socket client = door.accept();
        inBackground(() -> serve(client));
      }
    } catch (IOException closed) {
      // as it should be in the end
    }
  }

  private static void serve(Socket client) {
    try (client;
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
      OutputStream out = client.getOutputStream();
      for (String head = in.readLine(); head != null; head = in.readLine()) {
        out.write(answer(request(in, head)).getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
      }
    } catch (IOException gone) {
      // so is its client
    }
  }

  /** Reads a request: after its length, for each word its length and the word. */
  private static List<String> request(BufferedReader in, String head) throws IOException {
    List<String> words = new ArrayList<>();
    for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
      char[] word = new char[Integer.parseInt(in.readLine().substring(1))];
      for (int i = 0; i < word.length; i++) {
        word[i] = (char) in.read();
      }
      in.readLine();
      words.add(String.valueOf(word));
    }
    return words;
  }

  private static String answer(List<String> request) {
    return switch (request.get(0)) {
      case "HELLO" -> GREETING;
      case "SUBSCRIBE" -> ">3\r\n+subscribe\r\n+" + request.get(1) + "\r\n:1\r\n";
      case "SCRIPT" -> "+" + sha1(request.get(2)) + "\r\n";
      case "EVALSHA" -> script(request.get(3), request.size());
      default -> "+OK\r\n";
    };
  }

  /** Returns the name that a script gets. */
  private static String sha1(String script) {
    try {
      byte[] text = script.getBytes(StandardCharsets.ISO_8859_1);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Answers a call of a script, which it knows by the first key and the number of words. */
  private static String script(String key, int words) {
    if (key.endsWith(":mark")) {
      return "*8\r\n:9\r\n+0\r\n+toy.1\r\n:0\r\n:0\r\n:30604\r\n:1\r\n:1\r\n";
    }
    return switch (words) {
      case CLAIM -> "*3\r\n:1\r\n:1\r\n:1\r\n";
      case RENEW -> "*2\r\n:1\r\n:0\r\n";
      default -> "*1\r\n:1\r\n";
    };
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
