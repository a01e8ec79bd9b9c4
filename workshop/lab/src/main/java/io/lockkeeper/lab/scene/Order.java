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

  private static final int OK = 200;
  private static final int LONGEST_REASON = 120;

  boolean isAt(String point) {
    return marks.all().stream()
        .anyMatch(mark -> mark.order().equals(id) && mark.point().equals(point));
  }

  /** Returns whether it has ended, well or badly. */
  boolean isDone() {
    return answer.isDone();
  }

  void go() {
    instance.go(id);
  }

  boolean isAnswered() {
    return isSaid() && answer.join().statusCode() == OK;
  }

  /** Returns how it failed, in a few words. */
  String failure() {
    String how =
        isSaid()
            ? answer.join().statusCode() + " " + answer.join().body().strip()
            : answer.isDone() ? "no answer" : "has not ended";
    return id + ": " + (how.length() <= LONGEST_REASON ? how : how.substring(0, LONGEST_REASON));
  }

  private boolean isSaid() {
    return answer.isDone() && !answer.isCompletedExceptionally();
  }

  /** Returns what the service said, if it has said something. */
  @Nullable String said() {
    return isSaid() ? answer.join().body() : null;
  }
}
