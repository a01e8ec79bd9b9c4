package io.lockkeeper.lab.scene.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.scene.app.JvmStocks.StockBean;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

/** What the service knows of. */
class StockApplicationTest {

  @Test
  void theServiceKnowsEachBeanThatIsAStrategy() {
    Set<String> known =
        Stream.of(StockApplication.class, LockedStock.class)
            .flatMap(type -> Stream.of(type.getAnnotation(Import.class).value()))
            .filter(StockBean.class::isAssignableFrom)
            .map(type -> type.getAnnotation(Component.class).value())
            .collect(Collectors.toSet());

    assertThat(known)
        .containsExactlyInAnyOrder(
            "synchronized",
            "prototype",
            "insideTransaction",
            "outsideTransaction",
            "locked",
            "lockedFair");
  }
}
