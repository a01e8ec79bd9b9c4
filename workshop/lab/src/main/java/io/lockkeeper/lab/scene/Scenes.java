package io.lockkeeper.lab.scene;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** All scenes of {@code scenes.txt}, in the order in which they are best looked at. */
final class Scenes {

  private static final List<Scene> ALL = all();

  private Scenes() {}

  /** Returns those of the rows without a variable, and for each store those of the others. */
  private static List<Scene> all() {
    List<String> rows = rows();
    List<Scene> all =
        new ArrayList<>(rows.stream().filter(it -> !it.contains("${")).map(Scenes::read).toList());
    for (Place place : Place.values()) {
      Place stock = place == Place.REDIS ? Place.REDIS : Place.SQL;
      rows.stream()
          .filter(row -> row.contains("${"))
          .map(row -> row.replace("${suffix}", place.suffix()).replace("${lock}", place.name()))
          .map(row -> row.replace("${title}", place.title()).replace("${stock}", stock.name()))
          .map(Scenes::read)
          .forEach(all::add);
    }
    return List.copyOf(all);
  }

  private static List<String> rows() {
    return resource("scenes.txt")
        .lines()
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .toList();
  }

  /** Returns the text of a file beside this class. */
  static String resource(String file) {
    try (InputStream in = Scenes.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Scene read(String row) {
    String[] cells = row.split("\\|", -1);
    return new Scene(
        cells[0],
        cells[10],
        Integer.parseInt(cells[1]),
        Place.valueOf(cells[2]),
        Place.valueOf(cells[3]),
        cells[5],
        cells[6],
        Mishap.valueOf(cells[7]),
        cells[8],
        cells[9],
        Scene.Load.valueOf(cells[4]));
  }

  static List<Scene> list() {
    return ALL;
  }

  static Optional<Scene> find(String name) {
    return ALL.stream().filter(scene -> scene.name().equals(name)).findFirst();
  }
}
