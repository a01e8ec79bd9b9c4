package io.lockkeeper.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.cli.console.CannotRunException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HomeStoreTest {

  @TempDir private Path home;

  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void folderAndFileAreTheUsersAlone() throws IOException {
    String url = HomeStore.url(home.toString(), "/elsewhere");

    Path file = home.resolve(".lockkeeper/locks.db");
    assertThat(url).isEqualTo("jdbc:sqlite:" + file);
    assertThat(mode(file)).isEqualTo("rw-------");
    assertThat(mode(file.getParent())).isEqualTo("rwx------");
    assertThat(HomeStore.url(home.toString(), null)).as("a second time").isEqualTo(url);
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void withoutTheVariableTheAccountsHomeIsTaken() {
    assertThat(HomeStore.url(null, home.toString())).contains(home.toString());
    assertThat(HomeStore.url(" ", home.toString())).contains(home.toString());
  }

  @Test
  void withoutAnyHomeItIsSaidWhatToDo() {
    assertThatThrownBy(() -> HomeStore.url(null, "?"))
        .isInstanceOf(CannotRunException.class)
        .hasMessageContaining("set HOME or LOCKKEEPER_URL, or give --store");
    assertThatThrownBy(() -> HomeStore.url("/no/such/home", home.toString()))
        .isInstanceOf(CannotRunException.class)
        .hasMessageContaining("/no/such/home");
  }
}
