package io.lockkeeper.lab.scene;

import io.lockkeeper.servers.NginxServer;
import java.util.Locale;

/** What is in front of the instances and shares out the orders among them. */
enum Proxy {
  /** The machine's nginx. */
  NGINX("nginx"),
  /** Undertow's reverse proxy, in the process of the laboratory. */
  UNDERTOW("Undertow's reverse proxy");

  private final String title;

  Proxy(String title) {
    this.title = title;
  }

  /** Returns nginx if this machine has it. */
  static Proxy usual() {
    return NginxServer.isInstalled() ? NGINX : UNDERTOW;
  }

  /** Returns its name for people. */
  String title() {
    return title;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
