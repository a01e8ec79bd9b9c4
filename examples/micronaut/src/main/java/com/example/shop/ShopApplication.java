package com.example.shop;

import io.micronaut.runtime.Micronaut;

/** A stock service of several instances. */
public class ShopApplication {

  public static void main(String[] args) {
    Micronaut.run(ShopApplication.class, args);
  }
}
