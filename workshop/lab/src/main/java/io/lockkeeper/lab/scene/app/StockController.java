package io.lockkeeper.lab.scene.app;

import io.lockkeeper.console.Secrets;
import io.lockkeeper.lab.oversell.OrderLostException;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The service: takes a piece off the stock. */
@RestController
final class StockController {

  private final Desk desk;
  private final Turns turns;

  StockController(Desk desk, Turns turns) {
    this.desk = desk;
    this.turns = turns;
  }

  /** Sells a piece: 200, with what came of it; 409 if the strategy gave the order up. */
  @PostMapping("/stock/{code}/deduct")
  ResponseEntity<String> deduct(
      @PathVariable("code") String code,
      @RequestParam(name = "watch", defaultValue = "") String watch,
      @RequestParam(name = "pause", defaultValue = "") List<String> pauses,
      @RequestParam(name = "kind", defaultValue = "") List<String> kinds)
      throws InterruptedException {
    turns.begin(watch, pauses, kinds);
    try {
      return ResponseEntity.ok(desk.deduct(code) ? "sold" : "sold out");
    } catch (OrderLostException e) {
      return ResponseEntity.status(HttpStatus.CONFLICT).body(e.reason());
    } catch (RuntimeException e) {
      return ResponseEntity.internalServerError().body(Secrets.hide(e.toString()));
    } finally {
      turns.end();
    }
  }
}
