package io.lockkeeper.lab.scene;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.Main;
import io.lockkeeper.lab.process.ChildProcess;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.scene.Marks.Mark;
import io.lockkeeper.lab.scene.app.InstanceCommand;
import io.lockkeeper.lab.scene.app.InstanceStart;
import io.lockkeeper.lab.scene.app.Opening;
import io.lockkeeper.servers.JavaCommand;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An instance of the stock service, as the coordinator sees it: a JVM process of its own. */
final class Instance implements AutoCloseable {

  /** The start of a Spring application on a loaded machine. */
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private static final String LOCAL_DYNAMODB = "dynamodb://local/";
  private static final String ENDED = "failed the instance ended";

  private final int number;
  private final ChildProcess process;
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private volatile Marks marks = new Marks();
  private int port;

  private Instance(int number, ChildProcess process) {
    this.number = number;
    this.process = process;
  }

  /** Starts one, without waiting until it is up. */
  static Instance start(InstanceStart start) {
    Instance instance =
        new Instance(
            start.number(),
            ChildProcess.start(
                ChildProcess.java(options(start), Main.class.getName(), InstanceCommand.NAME),
                Redirect.INHERIT));
    instance.process.listen(
        "lockkeeper-scene-instance-" + start.number(), instance::hear, instance::ended);
    instance.process.say(Messages.write(start));
    return instance;
  }

  /** The local server of DynamoDB takes any credentials, but there must be some. */
  private static List<String> options(InstanceStart start) {
    List<String> options = new ArrayList<>(JavaCommand.SMALL);
    if (start.urls().values().stream().anyMatch(url -> url.startsWith(LOCAL_DYNAMODB))) {
      options.addAll(List.of("-Daws.accessKeyId=local", "-Daws.secretAccessKey=local"));
    }
    return options;
  }

  private void hear(String line) {
    if (line.startsWith("at ")) {
      marks.add(Mark.of(number, line.substring(3)));
    } else {
      answers.add(line);
    }
  }

  private void ended(@Nullable RuntimeException why) {
    answers.add(why == null ? ENDED : "failed " + why);
  }

  /** Waits until it serves. */
  void awaitStart() throws InterruptedException {
    port = Integer.parseInt(answer("port "));
  }

  int port() {
    return port;
  }

  int number() {
    return number;
  }

  /**
   * Has it open a strategy.
   *
   * @param heardOf gets where its watched orders are
   */
  void open(Opening opening, Marks heardOf) throws InterruptedException {
    marks = heardOf;
    process.say(Messages.write(opening));
    answer("opened");
  }

  /** Returns how often orders that nobody watches have been inside since the last time. */
  long entered() throws InterruptedException {
    process.say("entered");
    return Long.parseLong(answer("entered "));
  }

  private String answer(String expected) throws InterruptedException {
    String answer = answers.poll(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (answer == null || !answer.startsWith(expected)) {
      throw new CannotRunException("instance " + number + ": " + answer);
    }
    return answer.substring(expected.length());
  }

  void go(String order) {
    process.say("go " + order);
  }

  /** Freezes it, or lets it go on. */
  void freeze(boolean frozen) {
    process.freeze(frozen);
  }

  @Override
  public void close() {
    process.close();
  }
}
