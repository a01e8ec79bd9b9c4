package io.lockkeeper.lab.scene;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An order that is watched.
 *
 * @param id its name
 * @param instance which instance deals with it
 * @param answer what the service says to it
 */
record Order(
    String id, Instance instance, Marks marks, CompletableFuture<HttpResponse<String>> answer) {

  boolean isAt(String point) {
    return marks.all().stream()
        .anyMatch(mark -> mark.order().equals(id) && mark.point().equals(point));
  }

  boolean isDone() {
    return answer.isDone();
  }

  void go() {
    instance.go(id);
  }

  /** Returns what the service said, if it has said something. */
  @Nullable String said() {
    if (!answer.isDone() || answer.isCompletedExceptionally()) {
      return null;
    }
    return answer.join().body();
  }
}
