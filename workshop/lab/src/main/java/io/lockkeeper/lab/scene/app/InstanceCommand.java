package io.lockkeeper.lab.scene.app;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.strategy.Grant;
import io.lockkeeper.lab.oversell.worker.Messages;
import io.lockkeeper.lab.process.ParentProcess;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/**
 * What the scenes start their instances with; not for people. No signature in it names a class of
 * Spring, which is not there when others use the laboratory's commands.
 */
@Command(name = InstanceCommand.NAME, hidden = true)
public final class InstanceCommand implements Callable<Integer> {

  /** The command's name. */
  public static final String NAME = "scene-instance";

  private static final int GRANTS_PER_LINE = 500;

  @Override
  public Integer call() throws InterruptedException {
    ParentProcess parent = ParentProcess.listen();
    InstanceStart start = Messages.read(parent.lines().take(), InstanceStart.class);
    Logger.getLogger("").setLevel(Level.WARNING); // what Tomcat says at each start
    Turns turns = new Turns(parent.answers());
    try (StockInstance instance = new StockInstance(start, turns)) {
      say(parent, "port " + instance.port());
      Desk desk = instance.desk();
      for (String line = parent.lines().take(); !line.equals("end"); line = parent.lines().take()) {
        if (line.startsWith("go ")) {
          turns.go(line.substring(3));
        } else if (line.startsWith("account ")) {
          account(parent, desk, turns, line.substring(8));
        } else {
          say(parent, open(desk, turns, Messages.read(line, Opening.class)));
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

  /** Says what only this process knows: its grants, some in each line, and how often it was in. */
  private static void account(ParentProcess parent, Desk desk, Turns turns, String article)
      throws InterruptedException {
    long entered = turns.entered();
    try {
      List<Grant> grants = desk.grants(article);
      for (int from = 0; from < grants.size(); from += GRANTS_PER_LINE) {
        List<Grant> some = grants.subList(from, Math.min(grants.size(), from + GRANTS_PER_LINE));
        say(
            parent,
            "grants "
                + some.stream()
                    .map(grant -> grant.token() + ":" + grant.arrival())
                    .collect(Collectors.joining(" ")));
      }
      say(parent, "entered " + entered);
    } catch (IllegalStateException e) {
      say(parent, failed(e));
    }
  }

  private static String failed(RuntimeException e) {
    return "failed " + Secrets.hide(e.toString()).replaceAll("\\s+", " ");
  }

  private static void say(ParentProcess parent, String line) {
    synchronized (parent.answers()) {
      parent.answers().println(line);
      parent.answers().flush();
    }
  }
}
