package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.Lockkeeper;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProvidersTest {

  @ParameterizedTest
  @ValueSource(strings = {"scripted:x", "SCRIPTED:x", "scripted+tls://host:1"})
  void aUrlFindsItsStoreByTheSchemeInAnyCase(String url) {
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      assertThat(keeper.lock("a").tryLock()).isTrue();
    }
  }

  @Test
  void anUnknownSchemeListsTheKnownOnesWithAnExample() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("nosuch://user:secret@host"))
        .withMessage(
            "no store knows the URL scheme 'nosuch'; known schemes: scripted, scripted+tls;"
                + " for example scripted:anything");
  }

  @Test
  void aUrlWithoutASchemeIsToldWhatAUrlIs() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("localhost"))
        .withMessageStartingWith("a store URL begins with a scheme and a colon; known schemes:");
  }

  @Test
  void withoutAnyStoreTheMessageSaysWhatToAdd() throws Exception {
    withoutProviders(
        () ->
            assertThatIllegalArgumentException()
                .isThrownBy(() -> Lockkeeper.connect("redis://localhost"))
                .withMessage(
                    "no store knows the URL scheme 'redis'; no store module is on the class path:"
                        + " add one, such as lockkeeper-redis"));
  }

  private static void withoutProviders(Callable<?> action) throws Exception {
    Thread me = Thread.currentThread();
    ClassLoader before = me.getContextClassLoader();
    me.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      action.call();
    } finally {
      me.setContextClassLoader(before);
    }
  }
}
