package io.lockkeeper.cli.exec;

import io.lockkeeper.cli.console.WaitTime;
import io.lockkeeper.cli.store.StoreOptions;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A command line of {@code exec} in its plain form: options, each once, a name, {@code --} and the
 * command. It is read as picocli reads it; what has another form, and what is wrong, is left to
 * picocli.
 */
public final class PlainExec {

  private static final String COMMAND = "exec";
  private static final String END = "--";

  private final ExecOptions options = new ExecOptions();
  private final Set<String> seen = new HashSet<>();
  private @Nullable String store;
  private @Nullable Path storeFile;
  private String namespace = StoreOptions.NAMESPACE;

  private PlainExec() {}

  /** Returns the command, ready to be called, or null if this is for picocli. */
  public static @Nullable ExecCommand read(String... arguments) {
    List<String> words = List.of(arguments);
    int end = words.indexOf(END);
    if (end < 0 || end == words.size() - 1 || !words.get(0).equals(COMMAND)) {
      return null;
    }
    PlainExec plain = new PlainExec();
    try {
      if (!plain.takesAll(words.subList(1, end).iterator())) {
        return null;
      }
    } catch (TypeConversionException | IllegalArgumentException wrong) {
      return null;
    }
    plain.options.command.addAll(words.subList(end + 1, words.size()));
    return new ExecCommand(
        plain.options, new StoreOptions(plain.store, plain.storeFile, plain.namespace));
  }

  private boolean takesAll(Iterator<String> words) {
    while (words.hasNext()) {
      String word = words.next();
      int joint = word.indexOf('=');
      boolean taken;
      if (!word.startsWith("-")) {
        taken = takesName(word);
      } else if (joint >= 0) {
        taken = takes(word.substring(0, joint), word.substring(joint + 1));
      } else {
        taken = takes(word) || (words.hasNext() && takes(word, words.next()));
      }
      if (!taken) {
        return false;
      }
    }
    return !options.name.isEmpty() && (store == null || storeFile == null);
  }

  private boolean takesName(String word) {
    boolean isFirst = options.name.isEmpty();
    options.name = word;
    return isFirst && isPlain(word);
  }

  /** Takes an option without a value, unless it needs one. */
  private boolean takes(String option) {
    switch (option) {
      case "--fair" -> options.fair = true;
      case "--shared" -> options.shared = true;
      case "--exclusive" -> options.exclusive = true;
      case "--verbose", "-v" -> options.verbose = true;
      default -> {
        return false;
      }
    }
    return seen.add(option.equals("-v") ? "--verbose" : option);
  }

  private boolean takes(String option, String value) {
    if (!isPlain(value) || !seen.add(option)) {
      return false;
    }
    switch (option) {
      case "--wait" -> options.wait = new WaitTime().convert(value);
      case "--lease" -> options.lease = new ExecOptions.Lease().convert(value);
      case "--permits" -> options.permits = new Permits.Converter().convert(value);
      case "--on-lost" -> options.onLost = OnLost.valueOf(value.toUpperCase(Locale.ROOT));
      case "--grace" -> options.grace = new WaitTime().convert(value);
      case "--conflict-exit-code" ->
          options.conflictStatus = new ExecOptions.Status().convert(value);
      case "--store" -> store = value;
      case "--store-file" -> storeFile = Path.of(value);
      case "--namespace" -> namespace = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Returns whether this can be nothing but a value. */
  private static boolean isPlain(String word) {
    return !word.isEmpty() && !word.startsWith("-") && word.indexOf('"') < 0;
  }
}
