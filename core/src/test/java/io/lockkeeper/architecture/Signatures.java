package io.lockkeeper.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The signatures of the public types of sources and of their public and protected members, a line
 * each. Types are named as the sources name them. Sources, because those of all modules are there
 * before any of them is compiled.
 */
final class Signatures {

  private final List<String> lines = new ArrayList<>();

  private Signatures() {}

  /** Returns the lines of these files. */
  static List<String> of(List<Path> files) throws IOException {
    Signatures signatures = new Signatures();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      for (CompilationUnitTree unit : task.parse()) {
        for (Tree type : unit.getTypeDecls()) {
          if (type instanceof ClassTree found && isOpen(found.getModifiers(), false)) {
            signatures.add(found, unit.getPackageName() + "." + found.getSimpleName());
          }
        }
      }
    }
    return signatures.lines;
  }

  private static boolean isOpen(ModifiersTree modifiers, boolean inInterface) {
    Set<Modifier> flags = modifiers.getFlags();
    return flags.contains(Modifier.PUBLIC)
        || flags.contains(Modifier.PROTECTED)
        || (inInterface && !flags.contains(Modifier.PRIVATE));
  }

  private void add(ClassTree type, String name) {
    boolean inInterface =
        type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE;
    boolean isRecord = type.getKind() == Tree.Kind.RECORD;
    List<String> components = new ArrayList<>();
    List<String> members = new ArrayList<>();
    List<ClassTree> inner = new ArrayList<>();
    boolean constructor = type.getKind() != Tree.Kind.CLASS;
    for (Tree member : type.getMembers()) {
      if (member instanceof MethodTree method) {
        constructor |= method.getReturnType() == null;
        if (isOpen(method.getModifiers(), inInterface)) {
          members.add(method(method, type.getSimpleName().toString()));
        }
      } else if (member instanceof VariableTree field) {
        if (isRecord && !field.getModifiers().getFlags().contains(Modifier.STATIC)) {
          components.add(component(field));
        } else if (isOpen(field.getModifiers(), inInterface)) {
          members.add(flags(field.getModifiers()) + field.getType() + " " + field.getName());
        }
      } else if (member instanceof ClassTree nested && isOpen(nested.getModifiers(), inInterface)) {
        inner.add(nested);
      }
    }
    if (!constructor) {
      members.add(flags(type.getModifiers()) + type.getSimpleName() + "()");
    }
    lines.add(
        flags(type.getModifiers())
            + kind(type)
            + " "
            + name
            + list("<", type.getTypeParameters(), ">")
            + (isRecord ? "(" + String.join(", ", components) + ")" : "")
            + (type.getExtendsClause() == null ? "" : " extends " + type.getExtendsClause())
            + list(" implements ", type.getImplementsClause(), "")
            + list(" permits ", type.getPermitsClause(), ""));
    members.stream().sorted().forEach(line -> lines.add("  " + line));
    inner.forEach(nested -> add(nested, name + "." + nested.getSimpleName()));
  }

  private static String method(MethodTree method, String type) {
    return flags(method.getModifiers())
        + list("<", method.getTypeParameters(), "> ")
        + (method.getReturnType() == null ? type : method.getReturnType() + " " + method.getName())
        + method.getParameters().stream()
            .map(Signatures::parameter)
            .collect(Collectors.joining(", ", "(", ")"))
        + list(" throws ", method.getThrows(), "")
        + (method.getDefaultValue() == null ? "" : " default " + method.getDefaultValue());
  }

  private static String kind(ClassTree type) {
    return type.getKind() == Tree.Kind.ANNOTATION_TYPE
        ? "@interface"
        : type.getKind().name().toLowerCase(Locale.ROOT);
  }

  private static String component(VariableTree field) {
    return annotations(field.getModifiers())
            .collect(Collectors.joining(" ", "", " "))
            .stripLeading()
        + field.getType()
        + " "
        + field.getName();
  }

  /** Without the name, and with the dots of a variable number of arguments. */
  private static String parameter(VariableTree parameter) {
    return parameter.toString().replaceAll("\\s+", " ").replaceFirst(" \\w+$", "");
  }

  /** Annotations are left out, except that null is allowed and that it is deprecated. */
  private static String flags(ModifiersTree modifiers) {
    return Stream.concat(
            modifiers.getFlags().stream().map(Modifier::toString), annotations(modifiers))
        .map(word -> word + " ")
        .collect(Collectors.joining());
  }

  private static Stream<String> annotations(ModifiersTree modifiers) {
    return modifiers.getAnnotations().stream()
        .map(Object::toString)
        .map(text -> text.replace("()", ""))
        .filter(text -> text.equals("@Nullable") || text.startsWith("@Deprecated"));
  }

  private static String list(String begin, Collection<? extends Tree> trees, String end) {
    return trees.isEmpty()
        ? ""
        : trees.stream().map(Tree::toString).collect(Collectors.joining(", ", begin, end));
  }
}
