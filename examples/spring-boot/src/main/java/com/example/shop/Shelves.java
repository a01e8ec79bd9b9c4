package com.example.shop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * What the locks guard: how many of each item there are, in a file that all instances read and
 * write. With the number it keeps the token of who wrote it, and refuses an older one.
 */
@Component
public class Shelves {

  private final Path folder;

  Shelves(@Value("${shop.folder:target/shelves}") Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  private record Shelf(int count, long token) {}

  private Path file(String sku) {
    return folder.resolve(sku);
  }

  private Shelf read(String sku) {
    try {
      if (Files.notExists(file(sku))) {
        return new Shelf(0, 0);
      }
      String[] words = Files.readString(file(sku)).split(" ");
      return new Shelf(Integer.parseInt(words[0]), Long.parseLong(words[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how many there are. */
  int count(String sku) {
    return read(sku).count();
  }

  /** Sets how many there are. */
  void set(String sku, int count, long token) {
    if (token < read(sku).token()) {
      throw new IllegalStateException(sku + ": the lock of token " + token + " is another's now");
    }
    try {
      Files.writeString(file(sku), count + " " + token);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
