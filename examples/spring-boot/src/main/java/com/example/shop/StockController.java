package com.example.shop;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The stock over HTTP. */
@RestController
@RequestMapping("/stock/{sku}")
class StockController {

  private final Shelves shelves;
  private final Stock stock;

  StockController(Shelves shelves, Stock stock) {
    this.shelves = shelves;
    this.stock = stock;
  }

  @GetMapping
  int count(@PathVariable String sku) {
    return shelves.count(sku);
  }

  @PostMapping("/sell")
  ResponseEntity<Integer> sell(@PathVariable String sku) {
    int left = stock.sellOne(sku, null);
    return left < 0 ? ResponseEntity.status(HttpStatus.CONFLICT).body(0) : ResponseEntity.ok(left);
  }

  @PostMapping("/restock/{count}")
  int restock(@PathVariable String sku, @PathVariable int count) {
    return stock.restock(sku, count);
  }
}
