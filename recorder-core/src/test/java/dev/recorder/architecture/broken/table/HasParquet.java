package dev.recorder.architecture.broken.table;

import dev.recorder.testing.network.Breaks;
import org.apache.parquet.schema.MessageType;

@Breaks("THE_LIBRARY_OF_FILES_STANDS_IN_ITS_PACKAGE")
interface HasParquet {
  MessageType schema();
}
