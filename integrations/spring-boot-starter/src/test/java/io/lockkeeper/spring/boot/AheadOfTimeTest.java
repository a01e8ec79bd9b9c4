package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.JavaCommand;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.boot.SpringApplicationAotProcessor;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.env.MapPropertySource;
import org.springframework.javapoet.ClassName;

/**
 * An application that is processed ahead of time, as for a native image, and then runs on a JVM
 * with what that has generated. Runs with each major version of Spring Boot.
 */
@Tag("major")
@Tag("full")
class AheadOfTimeTest {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;

  @Test
  void itRunsWithItsLocks() throws Exception {
    List<String> settings =
        List.of(
            "--lockkeeper.url=memory:ahead-of-time-test",
            "--spring.main.banner-mode=off",
            "--spring.main.web-application-type=none",
            "--spring.autoconfigure.exclude="
                + "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration,"
                + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    Path sources = folder.resolve("sources");
    Path classes = folder.resolve("classes");
    List<String> process =
        new ArrayList<>(
            List.of(
                SpringApplicationAotProcessor.class.getName(),
                ProcessedShop.class.getName(),
                sources.toString(),
                classes.toString(),
                classes.toString(),
                "org.example",
                "shop"));
    process.addAll(settings);
    java(System.getProperty("java.class.path"), process);
    compile(sources, classes);
    List<String> run =
        new ArrayList<>(
            List.of("-Dspring.aot.enabled=true", ProcessedShop.class.getName(), "--till.wait=5s"));
    run.addAll(settings);

    String output = java(classes + File.pathSeparator + System.getProperty("java.class.path"), run);

    assertThat(output).contains("held: true");
    assertThat(classes.resolve("META-INF/native-image/org.example/shop"))
        .isDirectoryRecursivelyContaining("glob:**.json");
  }

  /** Runs a class, with the options that stand before it; returns what it prints. */
  private String java(String classPath, List<String> arguments)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", ".txt");
    List<String> command = JavaCommand.small("-cp", classPath);
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
    } finally {
      process.destroyForcibly().onExit().join();
    }
    String text = Files.readString(output, StandardCharsets.UTF_8);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  private static void compile(Path sources, Path classes) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-nowarn",
                "-proc:none",
                "-parameters",
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                "-d",
                classes.toString()));
    try (Stream<Path> files = Files.walk(sources)) {
      files.filter(Files::isRegularFile).map(Path::toString).forEach(arguments::add);
    }
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(result).isZero();
  }

  @Test
  void propertiesAreBoundAndTheEndpointIsCalled() {
    RuntimeHints hints = hints();

    assertThat(canCall(hints, LockkeeperProperties.class, "setUrl")).isTrue();
    assertThat(canCall(hints, LockkeeperProperties.Lock.class, "setLease")).isTrue();
    assertThat(canCall(hints, LockkeeperProperties.Deadlocks.class, "setCheck")).isTrue();
    assertThat(canCall(hints, LockkeeperProperties.Annotation.class, "setOnLoss")).isTrue();
    assertThat(canCall(hints, LockkeeperEndpoint.class, "all")).isTrue();
    assertThat(canCall(hints, LockkeeperEndpoint.class, "release")).isTrue();
  }

  private static RuntimeHints hints() {
    DefaultGenerationContext generation =
        new DefaultGenerationContext(
            new ClassNameGenerator(ClassName.get(ProcessedShop.class)),
            new InMemoryGeneratedFiles());
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(
              new MapPropertySource(
                  "test",
                  Map.of(
                      "lockkeeper.url",
                      "memory:ahead-of-time-test",
                      "management.endpoints.web.exposure.include",
                      "*")));
      context.register(
          LockkeeperAutoConfiguration.class, LockkeeperActuatorAutoConfiguration.class);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    }
    generation.writeGeneratedContent();
    return generation.getRuntimeHints();
  }

  private static boolean canCall(RuntimeHints hints, Class<?> type, String method) {
    return Stream.ofNullable(hints.reflection().getTypeHint(type))
        .flatMap(TypeHint::methods)
        .anyMatch(hint -> hint.getName().equals(method) && hint.getMode() == ExecutableMode.INVOKE);
  }
}
