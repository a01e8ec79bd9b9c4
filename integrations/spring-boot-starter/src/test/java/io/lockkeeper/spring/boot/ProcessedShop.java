package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spring.Locked;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * The application that is processed ahead of time. It is no nested class, because Spring Boot would
 * not find what it has generated for one, and has no stereotype, so that no scan finds it.
 */
@EnableAutoConfiguration
class ProcessedShop {

  static class Till {

    private final Lockkeeper keeper;

    Till(Lockkeeper keeper) {
      this.keeper = keeper;
    }

    @Locked(name = "till", key = "#number + 1", waitTime = "${till.wait}")
    public boolean isHeld(int number) {
      return keeper.lock("till:" + (number + 1)).isHeldByCurrentThread();
    }
  }

  @Bean
  Till till(Lockkeeper keeper) {
    return new Till(keeper);
  }

  /** Says whether a method runs with its lock. */
  public static void main(String[] args) {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(ProcessedShop.class, args)) {
      System.out.println("held: " + context.getBean(Till.class).isHeld(6));
    } catch (RuntimeException e) { // what is logged is not seen in tests
      e.printStackTrace();
      throw e;
    }
  }
}
