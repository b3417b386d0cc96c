package dev.recorder.app.config.connection;

import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.Rule;
import dev.recorder.s3.S3Settings.Checksums;
import java.net.URI;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where one recorder writes: {@code [s3]}, overridden by the recorder's own section. */
public final class S3Config extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("s3");

  /** For stores other than AWS, where the region is only part of the signature. */
  static final String REGION_WITH_ENDPOINT = "us-east-1";

  public static final Setting<String> REGION =
      TABLE.add(
          Setting.text(
                  "region",
                  null,
                  "[a-z0-9-]{1,40}",
                  "is not a region",
                  "the bucket's region, such as eu-central-1")
              .otherwise("required")
              .takes("such as `eu-central-1`")
              .means("With an `endpoint` it may be left out."));
  public static final Setting<String> BUCKET =
      TABLE.add(
          Setting.text(
                  "bucket",
                  null,
                  "[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]",
                  "is not a bucket name",
                  "the bucket's name: 3 to 63 of a-z, 0-9, . and -")
              .otherwise("required")
              .takes("a bucket's name"));
  public static final Setting<String> PREFIX =
      TABLE.add(
          new Setting<>("prefix", String.class, "", new Folders())
              .takes("folders, no slash at the ends, at most 512 characters")
              .means(
                  "Objects are `prefix/recorder/slot.ndjson.gz`. A longer prefix would leave too"
                      + " little of the 1,024 bytes of a key."));
  public static final Setting<URI> ENDPOINT =
      TABLE.add(
          new Setting<>("endpoint", URI.class, null, new HttpAddress())
              .otherwise("AWS")
              .takes("`http://…` or `https://…`, host and port")
              .means("For a store other than AWS."));
  public static final Setting<Boolean> PATH_STYLE =
      TABLE.add(
          Setting.flag("path_style", null)
              .otherwise("`true` with an `endpoint`, else `false`")
              .means("The bucket in the path instead of the host name."));
  public static final Setting<Checksums> CHECKSUMS =
      TABLE.add(
          Setting.word("checksums", Checksums.WHEN_SUPPORTED)
              .means(
                  "`when_required` is for stores that refuse checksums they did not ask for, with"
                      + " 400, 411 or 501, such as Ceph's gateway; not for a bucket with Object"
                      + " Lock. That gateway may hold logs, but [no"
                      + " documents](requests.md#what-one-object-per-entity-has-to-get-right)."));

  public S3Config(SectionValues recorder) {
    super(TABLE, recorder);
  }

  /** Checks {@code [s3]} itself, also the keys that no recorder inherits. */
  public static void check(SectionReader shared) {
    shared.read(TABLE);
  }

  /**
   * Reads the keys of one recorder. A key that neither section has is reported in {@code [s3]}, if
   * there is one.
   */
  public static void read(SectionReader own, SectionReader shared, boolean hasShared) {
    for (Setting<?> setting : TABLE.own()) {
      inherit(setting, own, from(setting, own, shared, hasShared));
    }
    boolean elsewhere = own.optional(ENDPOINT) != null;
    boolean named = from(ENDPOINT, own, shared, hasShared).has(ENDPOINT);
    SectionReader region = from(REGION, own, shared, hasShared);
    if (!named) {
      region.required(REGION);
    } else if (own.optional(REGION) == null) {
      own.set(REGION, REGION_WITH_ENDPOINT);
    }
    from(BUCKET, own, shared, hasShared).required(BUCKET);
    if (own.optional(PATH_STYLE) == null) {
      // Stores other than AWS rarely answer to host names with a bucket in them.
      own.set(PATH_STYLE, elsewhere);
    }
  }

  private static <T> void inherit(Setting<T> setting, SectionReader own, SectionReader from) {
    T value = from.optional(setting);
    own.set(setting, value == null ? setting.byDefault() : value);
  }

  private static SectionReader from(
      Setting<?> setting, SectionReader own, SectionReader shared, boolean hasShared) {
    return own.has(setting) || !hasShared ? own : shared;
  }

  /**
   * A key has 1,024 bytes. Behind the prefix there may be the recorder's name (40) and the name of
   * a slot or of a test object (58 at most), or an entity's id, of which 155 bytes must fit, each
   * possibly as three.
   */
  private record Folders() implements Rule<String> {
    private static final int MOST_CHARACTERS = 512;

    /** Possessive quantifiers avoid backtracking and its use of the stack. */
    private static final Pattern FORM =
        Pattern.compile(
            "(?!.*(^|/)\\.{1,2}(/|$))[A-Za-z0-9!_.*'()=-]++(/[A-Za-z0-9!_.*'()=-]++)*+");

    @Override
    public @Nullable String fault(String value) {
      if (value.length() > MOST_CHARACTERS) {
        return "has %d characters: keys would be longer than S3 allows".formatted(value.length());
      }
      return value.isEmpty() || FORM.matcher(value).matches() ? null : "is not a prefix";
    }

    @Override
    public String allowed() {
      return "folders such as prod/recorder, with no slash first or last, of at most %d characters; or leave it out"
          .formatted(MOST_CHARACTERS);
    }
  }

  private record HttpAddress() implements Rule<URI> {
    @Override
    public @Nullable String fault(URI value) {
      boolean http = "http".equals(value.getScheme()) || "https".equals(value.getScheme());
      boolean bare =
          value.getHost() != null
              && value.getRawUserInfo() == null
              && (value.getRawPath().isEmpty() || value.getRawPath().equals("/"))
              && value.getRawQuery() == null
              && value.getRawFragment() == null;
      return http && bare ? null : "is not a plain http address";
    }

    @Override
    public String allowed() {
      return "http:// or https://, a host and perhaps a port, such as http://127.0.0.1:9000";
    }
  }
}
