package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is exported has Javadoc: each public type and each public or protected member. Overrides
 * have their contract where they override, and constants of an enum are checked like members.
 */
class JavadocTest {

  private static final Path MAIN = Repository.ROOT.resolve("core/src/main/java");

  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:(?:public|static|final|abstract|sealed) )*(?:class|interface|enum|record|@interface)"
              + " (\\w+).*");
  private static final Pattern MEMBER =
      Pattern.compile(
          "^(?:public|protected)\\b.*|^(?:static |default )?[\\w<>\\[\\]?., @]+ \\w+\\(.*");
  private static final Pattern CONSTANT =
      Pattern.compile("^[A-Z][A-Z_]+[,;]?$|^[\\w<>]+ [A-Z][A-Z_]+ = .*");

  /** Words that the last table of the glossary replaces. */
  private static final Pattern REPLACED =
      Pattern.compile(
          "(?i)\\b(?:(?:is|are|be|was|were|been) told(?! (?:from|apart))|heard of"
              + "|passe[sd]? on|passing on|mends?|cures?|patience|what is shared"
              + "|letter box)\\b");

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*\\*.*?\\*/");
  private static final int MOST_LINES = 400;
  private static final Pattern REASON =
      Pattern.compile("This file is long\\s+\\*\\s+because|This file is long because");

  private static final Pattern CLAUSE =
      Pattern.compile("/\\*\\*\\s+(?:\\*\\s+)?(?:Has|What|Who|Whom|Whose|Whether) .*");

  private static final Pattern QUESTION =
      Pattern.compile("/\\*\\*\\s+(?:\\*\\s+)?(?:Has|What|Who|Whom|Whose) .*");

  /** Measurements are for nobody to build on. */
  private static final Set<String> UNREAD = Set.of("workshop/bench");

  @Test
  void noExportedJavadocBeginsWithAClause() throws IOException {
    List<String> clauses = new ArrayList<>();
    List<Path> checked = new ArrayList<>(exported());
    for (String module :
        List.of(
            "testing/testkit",
            "workshop/simulation",
            "integrations/reactor",
            "integrations/kotlin")) {
      try (Stream<Path> files = Files.walk(Repository.ROOT.resolve(module))) {
        files.filter(JavadocTest::isMainSource).forEach(checked::add);
      }
    }
    for (Path file : checked) {
      CLAUSE
          .matcher(Files.readString(file))
          .results()
          .forEach(clause -> clauses.add(file.getFileName() + ": " + clause.group()));
    }

    assertThat(clauses).as("without a verb or a noun to begin with").isEmpty();
  }

  @Test
  void noJavadocOfWhatIsPublishedBeginsAsAQuestion() throws IOException {
    List<String> questions = new ArrayList<>();
    for (Path folder : mainFolders()) {
      Path module = folder.resolve("../../..").normalize();
      if (!UNREAD.contains(Repository.ROOT.relativize(module).toString())) {
        try (Stream<Path> files = Files.walk(folder.getParent())) {
          for (Path file : files.filter(JavadocTest::isMainSource).toList()) {
            QUESTION
                .matcher(Files.readString(file))
                .results()
                .forEach(found -> questions.add(file.getFileName() + ": " + found.group()));
          }
        }
      }
    }

    assertThat(questions).as("without a verb or a noun to begin with").isEmpty();
  }

  @Test
  void exportedJavadocHasTheWordsOfTheGlossary() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : exported()) {
      for (MatchResult comment : COMMENT.matcher(Files.readString(file)).results().toList()) {
        String text = comment.group().replaceAll("\\s+\\*\\s+", " ");
        REPLACED
            .matcher(text)
            .results()
            .forEach(word -> found.add(file.getFileName() + ": " + word.group()));
      }
    }

    assertThat(found).as("docs/glossary.md has other words").isEmpty();
  }

  @Test
  void noLongFileLacksAReasonInItsHead() throws IOException {
    List<String> unexplained = new ArrayList<>();
    for (Path main : mainFolders()) {
      try (Stream<Path> files = Files.walk(main)) {
        for (Path file : (Iterable<Path>) files.filter(JavadocTest::isJava)::iterator) {
          String text = Files.readString(file);
          if (text.lines().count() > MOST_LINES && !REASON.matcher(text).find()) {
            unexplained.add(Repository.ROOT.relativize(file).toString());
          }
        }
      }
    }

    assertThat(unexplained)
        .as("files of more than %d lines that do not say why", MOST_LINES)
        .isEmpty();
  }

  /** Returns where the sources of the product are; experiments are no part of it. */
  private static List<Path> mainFolders() throws IOException {
    return Repository.modules().stream()
        .filter(module -> !module.equals("workshop/lab"))
        .map(module -> Repository.ROOT.resolve(module).resolve("src/main/java"))
        .filter(Files::isDirectory)
        .toList();
  }

  private static boolean isMainSource(Path file) {
    String path = file.toString().replace('\\', '/');
    return path.contains("/src/main/") && (path.endsWith(".java") || path.endsWith(".kt"));
  }

  private static boolean isJava(Path file) {
    return file.toString().endsWith(".java");
  }

  @Test
  void everyExportedTypeAndMemberHasJavadoc() throws IOException {
    List<String> bare = new ArrayList<>();
    int checked = 0;
    for (Path file : exported()) {
      checked += new Scan(file, bare).run();
    }

    assertThat(bare).as("exported without Javadoc").isEmpty();
    assertThat(checked).as("declarations found").isGreaterThan(120);
  }

  private static List<Path> exported() throws IOException {
    List<Path> exported = new ArrayList<>();
    for (String folder :
        List.of(
            "io/lockkeeper",
            "io/lockkeeper/integration",
            "io/lockkeeper/spi",
            "io/lockkeeper/spi/record",
            "io/lockkeeper/spi/rule",
            "io/lockkeeper/spi/support")) {
      try (Stream<Path> files = Files.list(MAIN.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(exported::add);
      }
    }
    return exported;
  }

  /** One file, read line by line; the formatter puts each declaration on a line of its own. */
  private static final class Scan {

    private final Path file;
    private final List<String> bare;
    private boolean documented;
    private boolean override;
    private int depth;
    private int checked;

    /** Up to which depth of braces declarations are exported, by the types that are open. */
    private final List<Boolean> exported = new ArrayList<>();

    private final List<Boolean> isInterface = new ArrayList<>();

    Scan(Path file, List<String> bare) {
      this.file = file;
      this.bare = bare;
    }

    int run() throws IOException {
      boolean comment = false;
      String unfinished = "";
      for (String line : Files.readAllLines(file)) {
        String text = unfinished + line.strip();
        unfinished = "";
        if (comment || text.startsWith("/*")) {
          documented |= text.startsWith("/**");
          comment = !text.endsWith("*/");
        } else if (text.startsWith("@") && !text.endsWith("{")) { // or it ends a list of parameters
          override |= text.startsWith("@Override");
        } else if (TYPE.matcher(text).matches() && !text.contains("{")) {
          unfinished = text + " ";
        } else if (!text.isEmpty()) {
          declaration(text);
        }
      }
      return checked;
    }

    private void declaration(String text) {
      boolean inType = depth == exported.size();
      boolean visible = exported.stream().allMatch(open -> open);
      boolean inInterface = !isInterface.isEmpty() && isInterface.get(isInterface.size() - 1);
      Matcher type = TYPE.matcher(text);
      boolean isType = inType && type.matches();
      boolean isPublic = text.startsWith("public ") || text.startsWith("protected ") || inInterface;
      boolean isConstant = CONSTANT.matcher(text).matches();
      boolean isMember = inType && MEMBER.matcher(text).matches() && !text.startsWith("return ");
      if (inType && visible && !override && (isConstant || (isPublic && (isType || isMember)))) {
        checked++;
        if (!documented) {
          bare.add(file.getFileName() + ": " + text);
        }
      }
      int before = depth;
      depth += count(text, '{') - count(text, '}');
      if (isType && depth > before) {
        exported.add(isPublic);
        isInterface.add(text.contains("interface "));
      }
      while (exported.size() > depth) {
        exported.remove(exported.size() - 1);
        isInterface.remove(isInterface.size() - 1);
      }
      documented = false;
      override = false;
    }

    private static int count(String text, char wanted) {
      String code = text.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "").replaceAll("//.*", "");
      return (int) code.chars().filter(c -> c == wanted).count();
    }
  }
}
