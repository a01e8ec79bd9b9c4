package io.lockkeeper.lab;

import io.lockkeeper.cli.console.Version;
import io.lockkeeper.lab.scene.SceneOptions;
import io.lockkeeper.lab.scene.SceneShow;
import io.lockkeeper.lab.scene.app.InstanceCommand;
import io.lockkeeper.lab.soak.SoakCommand;
import io.lockkeeper.lab.torture.TortureCommand;
import io.lockkeeper.lab.torture.TortureWorkerCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code lockkeeper lab}: shows scenes; without one, says what there is. An experiment is listed
 * here, and in the script {@code lockkeeper}, so that it is found without the word {@code lab} too.
 */
@Command(
    name = "lockkeeper",
    customSynopsis = {
      "lockkeeper lab [--list | --page | --all | SCENE...] [OPTIONS]",
      "  or:  lockkeeper COMMAND [OPTIONS]"
    },
    description = {
      "Experiments with distributed locks: try them out, break them, measure them.",
      "",
      "With the names of scenes: starts a stock service (Spring Boot) twice, nginx in front of it"
          + " and the stores that it needs, makes the fault happen that breaks the scene's broken"
          + " variant, shows that it does not break the cure, and puts the scene under load."
    },
    footer = {
      "",
      "Exit status: 0 each half of each scene did what it should; 1 one did not; 2 wrong command"
          + " line; 3 it could not run."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    versionProvider = Version.class,
    subcommands = {
      TortureCommand.class,
      TortureWorkerCommand.class,
      SoakCommand.class,
      InstanceCommand.class
    })
final class LabCommand implements Callable<Integer> {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private SceneOptions scenes = new SceneOptions();

  @Override
  public Integer call() throws InterruptedException {
    if (scenes.isEmpty()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "Which experiment? 'lockkeeper lab --help' lists them.");
    }
    scenes.check(spec.commandLine());
    return new SceneShow(scenes, spec.commandLine().getOut(), spec.commandLine().getErr()).run();
  }
}
