package com.example.shop;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.micronaut.Locked;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Sells and restocks, one instance at a time for each item. How many there are is in a file that
 * all instances read and write; with the number it keeps the token of who wrote it, and refuses an
 * older one.
 */
@Singleton
public class Stock {

  private final Lockkeeper keeper;
  private final Path folder;

  Stock(Lockkeeper keeper, @Value("${shop.folder:target/shelves}") Path folder) throws IOException {
    this.keeper = keeper;
    this.folder = Files.createDirectories(folder);
  }

  /** Sells one, and returns how many are left, or -1 if there was none. */
  @Locked("stock:{sku}")
  public int sellOne(String sku) throws IOException {
    return read(sku).count() == 0 ? -1 : add(sku, -1);
  }

  /** Adds some, and returns how many there are then. */
  @Locked("stock:{sku}")
  public int restock(String sku, int count) throws IOException {
    return add(sku, count);
  }

  /** Returns how many there are. */
  public int count(String sku) throws IOException {
    return read(sku).count();
  }

  private record Shelf(int count, long token) {}

  private Shelf read(String sku) throws IOException {
    Path file = folder.resolve(sku);
    if (Files.notExists(file)) {
      return new Shelf(0, 0);
    }
    String[] words = Files.readString(file).split(" ");
    return new Shelf(Integer.parseInt(words[0]), Long.parseLong(words[1]));
  }

  private int add(String sku, int count) throws IOException {
    long token = keeper.lock("stock:" + sku).token();
    Shelf shelf = read(sku);
    if (token < shelf.token()) {
      throw new IllegalStateException(sku + ": the lock of token " + token + " is another's now");
    }
    int now = shelf.count() + count;
    Files.writeString(folder.resolve(sku), now + " " + token);
    return now;
  }
}
