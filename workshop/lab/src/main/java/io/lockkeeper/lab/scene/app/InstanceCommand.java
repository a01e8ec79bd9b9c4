package io.lockkeeper.lab.scene.app;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.process.Messages;
import io.lockkeeper.lab.process.ParentProcess;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;

/**
 * What the scenes start their instances with; not for people. No signature in it names a class of
 * Spring, which is not there when others use the laboratory's commands.
 */
@Command(name = InstanceCommand.NAME, hidden = true)
public final class InstanceCommand implements Callable<Integer> {

  /** The command's name. */
  public static final String NAME = "scene-instance";

  @Override
  public Integer call() throws InterruptedException {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    ParentProcess parent = ParentProcess.listen(lines::add);
    InstanceStart start = Messages.read(lines.take(), InstanceStart.class);
    Logger.getLogger("").setLevel(Level.WARNING); // what Tomcat says at each start
    Turns turns = new Turns(parent::say);
    try (StockInstance instance = new StockInstance(start, turns)) {
      parent.say("port " + instance.port());
      Desk desk = instance.desk();
      for (String line = lines.take(); !line.equals("end"); line = lines.take()) {
        if (line.startsWith("go ")) {
          turns.go(line.substring(3));
        } else if (line.equals("entered")) {
          parent.say("entered " + turns.entered());
        } else {
          parent.say(open(desk, turns, Messages.read(line, Opening.class)));
        }
      }
    }
    return ExitStatus.OK;
  }

  private static String open(Desk desk, Turns turns, Opening opening) {
    try {
      desk.open(opening);
      turns.entered(); // what was before does not count
      return "opened";
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private static String failed(RuntimeException e) {
    return "failed " + Secrets.hide(e.toString()).replaceAll("\\s+", " ");
  }
}
