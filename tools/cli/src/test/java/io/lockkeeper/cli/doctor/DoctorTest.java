package io.lockkeeper.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockkeeper.cli.CommandRun;
import io.lockkeeper.cli.CommandRun.Ended;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.servers.RedisServer;
import org.junit.jupiter.api.Test;

class DoctorTest {

  @Test
  void aGoodServerIsSaidToBeGood() {
    try (RedisServer server = RedisServer.builder().appendOnly().start()) {
      Ended ended = CommandRun.of("doctor", "--store", server.url());

      assertThat(ended.status()).as(ended.out()).isEqualTo(ExitStatus.OK);
      assertThat(ended.out())
          .containsPattern("ok +eviction +noeviction")
          .containsPattern("ok +persistence +append-only file, synced always")
          .containsPattern("ok +clock +\\d+ ms (ahead of|behind) this")
          .containsPattern("ok +locks +granted once")
          .containsPattern("ok +hand-over")
          .containsPattern("ok +listing")
          .containsPattern("ok +latency")
          .contains("All is well.");
    }
  }

  @Test
  void aServerThatForgetsHoldersFails() throws Exception {
    try (RedisServer server =
        RedisServer.builder().password("s3cret").maxMemory("50mb", "allkeys-lru").start()) {
      Ended text = CommandRun.of("doctor", "--store", server.url());
      Ended json = CommandRun.of("doctor", "--json", "--store", server.url());

      assertThat(text.status()).isEqualTo(ExitStatus.FAILED);
      assertThat(text.out())
          .containsPattern("fail +eviction +allkeys-lru")
          .containsPattern("warn +persistence +none")
          .contains("eviction: set maxmemory-policy noeviction")
          .doesNotContain("s3cret");
      assertThat(json.status()).isEqualTo(ExitStatus.FAILED);
      JsonNode findings = new ObjectMapper().readTree(json.out());
      assertThat(findings).anyMatch(each -> each.at("/check").textValue().equals("eviction"));
    }
  }

  @Test
  void aServerThatWasJustStartedIsWaitedForAndThatIsSaid() {
    try (RedisServer server = RedisServer.start()) {
      server.command("FLUSHALL"); // it has a mark, for the sake of other tests

      // Connecting two clients takes a part of it.
      Ended ended = CommandRun.of("doctor", "--store", server.url() + "?quarantine=8s");

      String why =
          "was started, flushed or failed over, and may have lost its locks."
              + " No lock is granted for another ";
      assertThat(ended.status()).as(ended.out()).isEqualTo(ExitStatus.OK);
      assertThat(ended.err()).contains("Waiting: Redis at " + server.url() + " " + why);
      assertThat(ended.out()).containsPattern("warn +restart +Redis at .* " + why);
    }
  }

  @Test
  void aStoreOutOfReachIsAFinding() {
    Ended ended = CommandRun.of("doctor", "--store", "redis://:s3cret@127.0.0.1:1");

    assertThat(ended.status()).isEqualTo(ExitStatus.FAILED);
    assertThat(ended.out())
        .containsPattern("fail +connection +.*127.0.0.1:1")
        .doesNotContain("s3cret");
  }

  @Test
  void aStoreWithNothingToSetUpIsTriedAllTheSame() {
    Ended ended = CommandRun.of("doctor", "--store", "memory:doctor");

    assertThat(ended.status()).as(ended.out()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).containsPattern("ok +locks").doesNotContain("eviction");
  }
}
