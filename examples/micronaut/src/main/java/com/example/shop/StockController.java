package com.example.shop;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.IOException;

/** The stock over HTTP. */
@Controller("/stock/{sku}")
@ExecuteOn(TaskExecutors.BLOCKING)
class StockController {

  private final Stock stock;

  StockController(Stock stock) {
    this.stock = stock;
  }

  @Get
  int count(String sku) throws IOException {
    return stock.count(sku);
  }

  @Post("/sell")
  HttpResponse<Integer> sell(String sku) throws IOException {
    int left = stock.sellOne(sku);
    return left < 0
        ? HttpResponse.<Integer>status(HttpStatus.CONFLICT).body(0)
        : HttpResponse.ok(left);
  }

  @Post("/restock/{count}")
  int restock(String sku, int count) throws IOException {
    return stock.restock(sku, count);
  }
}
