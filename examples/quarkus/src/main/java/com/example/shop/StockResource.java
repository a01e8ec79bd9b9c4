package com.example.shop;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.io.IOException;

/** The stock over HTTP. */
@Path("/stock/{sku}")
public class StockResource {

  private final Stock stock;

  StockResource(Stock stock) {
    this.stock = stock;
  }

  @GET
  public int count(String sku) throws IOException {
    return stock.count(sku);
  }

  @POST
  @Path("/sell")
  public Response sell(String sku) throws IOException {
    int left = stock.sellOne(sku);
    return left < 0 ? Response.status(Status.CONFLICT).build() : Response.ok(left).build();
  }

  @POST
  @Path("/restock/{count}")
  public int restock(String sku, int count) throws IOException {
    return stock.restock(sku, count);
  }
}
