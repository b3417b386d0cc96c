package dev.recorder.table.parquet;

import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;

/** The columns of a checkpoint by Delta's protocol. */
final class CheckpointSchema {
  static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message checkpoint {
            optional group txn {
              optional binary appId (STRING);
              optional int64 version;
              optional int64 lastUpdated;
            }
            optional group add {
              optional binary path (STRING);
              optional group partitionValues (MAP) {
                repeated group key_value {
                  required binary key (STRING);
                  optional binary value (STRING);
                }
              }
              optional int64 size;
              optional int64 modificationTime;
              optional boolean dataChange;
              optional binary stats (STRING);
              optional group tags (MAP) {
                repeated group key_value {
                  required binary key (STRING);
                  optional binary value (STRING);
                }
              }
            }
            optional group remove {
              optional binary path (STRING);
              optional int64 deletionTimestamp;
              optional boolean dataChange;
            }
            optional group metaData {
              optional binary id (STRING);
              optional binary name (STRING);
              optional binary description (STRING);
              optional group format {
                optional binary provider (STRING);
                optional group options (MAP) {
                  repeated group key_value {
                    required binary key (STRING);
                    optional binary value (STRING);
                  }
                }
              }
              optional binary schemaString (STRING);
              optional group partitionColumns (LIST) {
                repeated group list {
                  optional binary element (STRING);
                }
              }
              optional int64 createdTime;
              optional group configuration (MAP) {
                repeated group key_value {
                  required binary key (STRING);
                  optional binary value (STRING);
                }
              }
            }
            optional group protocol {
              optional int32 minReaderVersion;
              optional int32 minWriterVersion;
            }
          }
          """);

  private CheckpointSchema() {}

  /**
   * Returns the columns of {@link #SCHEMA} that a file has. Other programs' checkpoints may have
   * more or fewer columns.
   */
  static MessageType within(MessageType file) {
    return new MessageType("checkpoint", common(SCHEMA, file));
  }

  private static List<Type> common(GroupType known, GroupType file) {
    List<Type> fields = new ArrayList<>();
    for (Type field : known.getFields()) {
      if (!file.containsField(field.getName())) {
        continue;
      }
      Type found = file.getType(field.getName());
      boolean descends = field.getLogicalTypeAnnotation() == null && !field.isPrimitive();
      fields.add(
          descends && !found.isPrimitive()
              ? found.asGroupType().withNewFields(common(field.asGroupType(), found.asGroupType()))
              : found);
    }
    return fields;
  }
}
