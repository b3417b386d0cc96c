package dev.recorder.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.sql.SchemaNames;
import org.junit.jupiter.api.Test;

class DatabaseSettingsTest {
  @Test
  void theNameOfADatabaseIsItsAddressOrWhatTheFileCallsItsServer() {
    DatabaseSettings.Builder settings = DatabaseSettings.of("DB.example", "app", "recorder");
    assertThat(settings.build().reachedAs()).isEqualTo("db.example:5432/app");
    assertThat(settings.knownAs("main").build().reachedAs()).isEqualTo("main/app");
  }

  @Test
  void ofTwoControlSchemasInOneDatabaseEachHasANameOfItsOwn() {
    DatabaseSettings.Builder settings = DatabaseSettings.of("db", "app", "recorder");
    settings.schemas(new SchemaNames("recorder_b", "handoff_b"));
    assertThat(settings.build().reachedAs()).isEqualTo("db:5432/app/recorder_b");
  }
}
