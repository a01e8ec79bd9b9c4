package io.lockkeeper.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement with the values of its parameters. */
final class Sql {

  final String text;
  private final @Nullable Object[] arguments;

  Sql(String text, @Nullable Object... arguments) {
    this.text = text;
    this.arguments = arguments;
  }

  /** Returns statements that are sent at once and carried out one after the other. */
  static Sql together(List<Sql> first, Sql last) {
    StringBuilder text = new StringBuilder();
    first.forEach(one -> text.append(one.text).append("; "));
    return new Sql(text.append(last.text).toString(), arguments(first, last));
  }

  /**
   * Returns one statement that carries out others too. They do not see what each of them does, so
   * no two may change the same row: each is about other rows, or reads what was read before.
   */
  static Sql with(List<Sql> first, Sql last) {
    List<String> parts = new ArrayList<>();
    first.forEach(one -> parts.add("w" + parts.size() + " as (" + one.text + ")"));
    return new Sql("with " + String.join(", ", parts) + " " + last.text, arguments(first, last));
  }

  private static @Nullable Object[] arguments(List<Sql> first, Sql last) {
    List<@Nullable Object> all = new ArrayList<>();
    first.forEach(one -> all.addAll(Arrays.asList(one.arguments)));
    all.addAll(Arrays.asList(last.arguments));
    return all.toArray();
  }

  /** Sets the parameters of a statement with this text. */
  void bind(PreparedStatement statement, Dialect dialect) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      Object argument = arguments[i];
      if (argument instanceof Long number) {
        statement.setLong(i + 1, number);
      } else if (argument instanceof Integer number) {
        statement.setInt(i + 1, number);
      } else if (argument instanceof Boolean flag) {
        statement.setInt(i + 1, flag ? 1 : 0);
      } else if (argument instanceof byte[] bytes) {
        statement.setBytes(i + 1, bytes);
      } else {
        dialect.setText(statement, i + 1, (String) argument);
      }
    }
  }
}
