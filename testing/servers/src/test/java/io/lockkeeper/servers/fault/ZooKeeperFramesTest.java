package io.lockkeeper.servers.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.fault.TcpProxy.Request;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ZooKeeperFramesTest {

  private static final int CREATE = 1;
  private static final int GET_DATA = 4;
  private static final int GET_CHILDREN = 8;
  private static final int PING = 11;

  @Test
  void requestsAreToldApartHoweverTheBytesArrive() {
    byte[] bytes =
        join(
            request(CREATE), // the first is about the session, whatever number stands there
            request(GET_CHILDREN),
            request(GET_DATA),
            request(CREATE),
            request(PING));

    for (int piece = 1; piece <= bytes.length; piece++) {
      List<ZooKeeperFrames.Frame> frames = cut(bytes, piece);

      assertThat(frames)
          .extracting(ZooKeeperFrames.Frame::kind)
          .containsExactly(
              Optional.empty(),
              Optional.of(Request.LIST),
              Optional.of(Request.READ),
              Optional.of(Request.WRITE),
              Optional.empty());
      assertThat(join(frames.stream().map(it -> bytes(it.bytes())).toArray(byte[][]::new)))
          .isEqualTo(bytes);
    }
  }

  private static List<ZooKeeperFrames.Frame> cut(byte[] bytes, int piece) {
    ZooKeeperFrames frames = new ZooKeeperFrames();
    List<ZooKeeperFrames.Frame> all = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += piece) {
      all.addAll(
          frames.take(Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + piece))));
    }
    return all;
  }

  private static byte[] request(int type) {
    return ByteBuffer.allocate(16).putInt(12).putInt(7).putInt(type).putInt(99).array();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    ByteBuffer joined = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(it -> it.length).sum());
    for (byte[] part : parts) {
      joined.put(part);
    }
    return joined.array();
  }
}
