package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class LockedPublisherTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private static Lockkeeper other;

  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private Reactive bean;

  @BeforeEach
  void start() {
    other = Lockkeeper.connect("memory:locked-publisher-test");
    context.register(Base.class, Reactive.class);
    context.refresh();
    bean = context.getBean(Reactive.class);
  }

  @AfterEach
  void close() {
    context.close();
    other.close();
  }

  @Configuration
  @EnableLocks(proxyTargetClass = true)
  static class Base {
    @Bean
    Lockkeeper keeper() {
      return Lockkeeper.connect("memory:locked-publisher-test");
    }
  }

  static class Reactive {

    @Locked(name = "mono", onLoss = OnLoss.INTERRUPT)
    public <T> Mono<T> mono(Mono<T> work) {
      return work;
    }

    @Locked(name = "flux")
    public Flux<Long> tokens(int count, Lease lease) {
      return Flux.range(0, count).map(i -> lease.token());
    }

    @Locked(name = "flux")
    public Flux<Object> untilLost(Lease lease) {
      return Flux.defer(
          () -> {
            other.lock("flux").forceUnlock();
            return Flux.from(Mono.fromCompletionStage(lease.lost()));
          });
    }

    @Locked(name = "mono", waitTime = "0")
    public Mono<String> impatient() {
      return Mono.just("done");
    }

    @Locked(name = "mono", waitTime = "0", fallback = "instead")
    public Mono<String> withFallback() {
      return Mono.just("done");
    }

    @SuppressWarnings("UnusedMethod") // by its name
    private Mono<String> instead() {
      return Mono.just("instead");
    }

    @Locked(name = "mono", waitTime = "0", onFailure = OnFailure.SKIP)
    public Mono<String> skipped() {
      return Mono.just("done");
    }
  }

  private boolean isFree() throws InterruptedException {
    return other
        .lock("mono")
        .tryAcquire(LONG)
        .map(
            lease -> {
              lease.release();
              return true;
            })
        .orElse(false);
  }

  @Test
  void aPublisherIsHeldFromSubscriptionToCompletion() throws Exception {
    Mono<Boolean> mono = bean.mono(Mono.fromCallable(() -> other.lock("mono").isLocked()));
    assertThat(other.lock("mono").isLocked()).isFalse();
    assertThat(mono.block(LONG)).isTrue();
    assertThat(isFree()).isTrue();
    assertThat(mono.block(LONG)).as("a second subscription").isTrue();
    List<Long> tokens = bean.tokens(3, null).collectList().block(LONG);
    assertThat(tokens).hasSize(3).containsOnly(tokens.get(0));
  }

  @Test
  void anErrorReleases() throws Exception {
    Mono<String> mono = bean.mono(Mono.error(new IllegalArgumentException("no")));
    assertThatThrownBy(() -> mono.block(LONG)).isInstanceOf(IllegalArgumentException.class);
    assertThat(isFree()).isTrue();
  }

  @Test
  void whoeverCancelsReleasesOrGivesUpTheWait() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Disposable working =
        bean.mono(Mono.never().doOnSubscribe(subscription -> begun.countDown())).subscribe();
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    working.dispose();
    assertThat(isFree()).isTrue();
    try (Lease lease = other.lock("mono").acquire()) {
      Disposable waiting = bean.mono(Mono.just(1)).subscribe();
      waiting.dispose();
      assertThat(lease.isValid()).isTrue();
    }
    assertThat(isFree()).isTrue();
  }

  @Test
  void aSubscriptionThatDoesNotGetItsLockDoesWhatItSays() throws Exception {
    assertThat(bean.impatient().block(LONG)).isEqualTo("done");
    try (Lease lease = other.lock("mono").acquire()) {
      assertThatThrownBy(() -> bean.impatient().block(LONG))
          .isInstanceOf(AcquireTimeoutException.class);
      assertThat(bean.withFallback().block(LONG)).isEqualTo("instead");
      assertThat(bean.skipped().block(LONG)).isNull();
      assertThat(lease.isValid()).isTrue();
    }
  }

  @Test
  void aLossEndsTheWork() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    Mono<Object> mono =
        bean.mono(
            Mono.never()
                .doOnSubscribe(subscription -> other.lock("mono").forceUnlock())
                .doOnCancel(cancelled::countDown));
    assertThatThrownBy(() -> mono.block(LONG)).isInstanceOf(LeaseLostException.class);
    assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aLossDuringWorkThatSucceedsIsItsError() {
    Flux<Object> work = bean.untilLost(null);
    assertThatThrownBy(() -> work.blockLast(LONG)).isInstanceOf(LeaseLostException.class);
  }
}
