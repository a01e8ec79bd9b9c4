package io.lockkeeper;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * A YAML file as properties: what is nested has a name with dots, and a key in brackets, as in
 * {@code "[order-*]"}, stands behind its parent without one, as Spring Boot has it. Each scalar is
 * the text that stands in the file.
 *
 * <p>This is the one class that knows SnakeYAML, which an application adds if it wants YAML.
 */
final class YamlFile {

  private static final int MOST_LEVELS = 20;

  private final Path file;
  private final Map<String, String> properties = new TreeMap<>();

  private YamlFile(Path file) {
    this.file = file;
  }

  /**
   * Reads a file; no message repeats a value in it.
   *
   * @throws NoClassDefFoundError if there is no SnakeYAML
   */
  static Map<String, String> read(Path file) throws IOException {
    YamlFile result = new YamlFile(file);
    try (Reader reader = Files.newBufferedReader(file)) {
      Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(reader);
      if (root != null) {
        result.add("", root, 0);
      }
    } catch (MarkedYAMLException e) { // with its cause the message would have a part of the file
      int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
      throw new IllegalArgumentException(
          file + " is no YAML: line " + line + ", " + e.getProblem());
    }
    return result.properties;
  }

  private void add(String name, Node node, int level) {
    if (level > MOST_LEVELS) {
      throw new IllegalArgumentException(file + " has more than " + MOST_LEVELS + " levels");
    } else if (node instanceof ScalarNode scalar) {
      boolean isNothing = scalar.isPlain() && scalar.getValue().matches("~|null|");
      properties.put(name, isNothing ? "" : scalar.getValue());
    } else if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        add(name(name, tuple.getKeyNode()), tuple.getValueNode(), level + 1);
      }
    } else if (name.startsWith("lockkeeper.")) {
      throw new IllegalArgumentException(name + " must be a text, is a list");
    }
  }

  private String name(String parent, Node key) {
    if (!(key instanceof ScalarNode scalar)) {
      throw new IllegalArgumentException(
          file + " has a key that is no text below '" + parent + "'");
    }
    String name = scalar.getValue();
    return parent.isEmpty() || name.startsWith("[") ? parent + name : parent + "." + name;
  }
}
