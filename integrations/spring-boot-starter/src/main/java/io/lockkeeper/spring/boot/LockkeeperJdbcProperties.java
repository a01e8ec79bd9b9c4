package io.lockkeeper.spring.boot;

import io.lockkeeper.jdbc.JdbcStores;
import io.lockkeeper.jdbc.Tables;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** The properties {@code lockkeeper.jdbc.*}. */
@ConfigurationProperties("lockkeeper.jdbc")
public class LockkeeperJdbcProperties extends UrlParameters {

  /** Whether tables that are not there are created, or expected. Default create. */
  private @Nullable Tables tables;

  /** The schema of the tables. Default that in which the client connects. */
  private @Nullable String schema;

  /** How many connections the client uses at a time, at most. Default 2. */
  private @Nullable Integer connections;

  /** Creates properties that leave everything to its default. */
  public LockkeeperJdbcProperties() {}

  /** Returns whether tables are created or expected. */
  public @Nullable Tables getTables() {
    return tables;
  }

  /** Sets whether tables are created or expected. */
  public void setTables(@Nullable Tables tables) {
    this.tables = tables;
  }

  /** Returns the schema of the tables. */
  public @Nullable String getSchema() {
    return schema;
  }

  /** Sets the schema of the tables. */
  public void setSchema(@Nullable String schema) {
    this.schema = schema;
  }

  /** Returns how many connections the client uses. */
  public @Nullable Integer getConnections() {
    return connections;
  }

  /** Sets how many connections the client uses. */
  public void setConnections(@Nullable Integer connections) {
    this.connections = connections;
  }

  JdbcStores applyTo(JdbcStores given) {
    JdbcStores stores = given;
    stores = Setting.apply("lockkeeper.jdbc.tables", tables, stores, JdbcStores::withTables);
    stores = Setting.apply("lockkeeper.jdbc.schema", schema, stores, JdbcStores::withSchema);
    stores =
        Setting.apply(
            "lockkeeper.jdbc.connections", connections, stores, JdbcStores::withConnections);
    stores =
        Setting.apply("lockkeeper.jdbc.timeout", getTimeout(), stores, JdbcStores::withTimeout);
    return Boolean.FALSE.equals(getPush()) ? stores.withoutPush() : stores;
  }

  @Override
  Map<String, @Nullable Object> parameters(String url) {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    if (url.startsWith("jdbc:")) {
      parameters.put("lockkeeper.tables", tables);
      parameters.put("lockkeeper.schema", schema);
      parameters.put("lockkeeper.connections", connections);
      parameters.put("lockkeeper.timeout", getTimeout());
      parameters.put("lockkeeper.push", getPush());
    }
    return parameters;
  }
}
