package io.lockkeeper.lab.scene.app;

import java.util.Map;

/**
 * What an instance reads first, in a line of its input: a URL may hold a password, and a command
 * line is for all to see.
 *
 * @param number from 1
 * @param seed for whatever is random in it
 * @param urls of the stores, by name: {@code REDIS}, {@code SQL} and so on
 */
public record InstanceStart(int number, long seed, Map<String, String> urls) {

  String url(String name) {
    return urls.getOrDefault(name, "");
  }
}
