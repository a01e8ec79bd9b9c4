package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The programs about what several hold at a time. */
class SharedTest {

  @Test
  void anEmptyCatalogueIsFilledOnceAndRead() {
    SharedCatalogue.Catalogue catalogue = new SharedCatalogue.Catalogue();
    assertThat(SharedCatalogue.run("memory:shared-catalogue", catalogue)).isEqualTo("12.50");
    assertThat(SharedCatalogue.run("memory:shared-catalogue", catalogue)).isEqualTo("12.50");
    assertThat(catalogue.changes()).isEqualTo(1);
  }

  @Test
  void noMoreThanThreeUseTheServiceAtATime() throws Exception {
    FewAtATime.Service service = new FewAtATime.Service();
    FewAtATime.run("memory:few-at-a-time", service);
    assertThat(service.most()).isBetween(1, 3);
  }

  @Test
  void allGoThroughAllStepsTogether() throws Exception {
    assertThat(InStep.run("memory:in-step")).isEqualTo(5);
  }
}
