package dev.recorder.app.config.connection;

import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.ObjectTags;
import dev.recorder.app.config.value.Rule;
import dev.recorder.s3.ObjectAttributes;
import dev.recorder.s3.ObjectAttributes.LockMode;
import dev.recorder.s3.S3Settings.Checksums;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The store of one recorder: {@code [s3]}, overridden by the recorder's own section. */
public final class S3Config extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("s3");

  /** The region for stores other than AWS, where it is only part of the signature. */
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
              .means("The bucket's region. May be left out if `endpoint` is set."));
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
                  "Objects are `prefix/recorder/slot.ndjson.gz`. With a longer prefix keys could"
                      + " exceed the limit of S3, 1,024 bytes."));
  public static final Setting<URI> ENDPOINT =
      TABLE.add(
          new Setting<>("endpoint", URI.class, null, new HttpAddress())
              .otherwise("AWS")
              .takes("`http://…` or `https://…`, host and port")
              .means("Address of a store other than AWS."));
  public static final Setting<Boolean> PATH_STYLE =
      TABLE.add(
          Setting.flag("path_style", null)
              .otherwise("`true` with an `endpoint`, else `false`")
              .means("`true`: the URL has the bucket in its path instead of the host name."));
  public static final Setting<Checksums> CHECKSUMS =
      TABLE.add(
          Setting.word("checksums", Checksums.WHEN_SUPPORTED)
              .means(
                  "Write `when_required` if the store answers 400, 411 or 501 to checksums that it"
                      + " did not ask for, as Ceph's gateway does. Do not write it for a bucket"
                      + " with Object Lock. Ceph's gateway can store logs, but [no"
                      + " documents](requests.md#what-one-object-per-entity-has-to-get-right)."));

  public static final Setting<Boolean> DUALSTACK =
      TABLE.add(
          Setting.flag("dualstack", null)
              .otherwise("`false`")
              .means(
                  "`true`: AWS's endpoint that also answers over IPv6. Not together with"
                      + " `endpoint`."));
  public static final Setting<Boolean> FIPS =
      TABLE.add(
          Setting.flag("fips", null)
              .otherwise("`false`")
              .means(
                  "`true`: AWS's endpoint with FIPS 140 cryptography, which not every region has."
                      + " Not together with `endpoint`."));
  public static final Setting<String> ROLE_ARN =
      TABLE.add(
          Setting.text(
                  "role_arn",
                  null,
                  "arn:aws[a-z-]*:iam::[0-9]{12}:role/[A-Za-z0-9+=,.@_/-]{1,576}",
                  "is not a role's ARN",
                  "a role's ARN, such as arn:aws:iam::123456789012:role/recorder")
              .takes("a role's ARN")
              .means(
                  "A role that the host assumes with its own credentials, for a bucket of another"
                      + " account. The role's session has the host's name."));
  public static final Setting<String> EXTERNAL_ID =
      TABLE.add(
          Setting.text(
                  "external_id",
                  null,
                  "[A-Za-z0-9+=,.@:/_-]{2,1224}",
                  "is not an external id",
                  "2 to 1224 letters, digits and + = , . @ : / _ -")
              .takes("a text")
              .means("The external id that the trust policy of `role_arn` demands, if any."));
  public static final Setting<String> SSE =
      TABLE.add(
          Setting.text(
                  "sse",
                  null,
                  "aws:kms|AES256",
                  "is not an encryption of S3 that the recorder knows",
                  "aws:kms or AES256; without the key the bucket's default applies")
              .otherwise("the bucket's")
              .takes("`aws:kms`, `AES256`")
              .means("Encryption that each PUT asks for."));
  public static final Setting<String> KMS_KEY_ID =
      TABLE.add(
          Setting.text(
                  "kms_key_id",
                  null,
                  "[A-Za-z0-9:/_-]{1,2048}",
                  "is not a key of KMS",
                  "the ARN or id of a key, or alias/NAME")
              .otherwise("the bucket's")
              .takes("an ARN, an id or an alias")
              .means(
                  "The KMS key for `sse = aws:kms`. The hosts need `kms:GenerateDataKey` and"
                      + " `kms:Decrypt` on this key."));
  public static final Setting<String> STORAGE_CLASS =
      TABLE.add(
          new Setting<>("storage_class", String.class, null, new ReadableClass())
              .otherwise("the store's")
              .takes("`STANDARD`, `STANDARD_IA`, `ONEZONE_IA`, `INTELLIGENT_TIERING`, `GLACIER_IR`")
              .means(
                  "In classes other than `STANDARD` and `INTELLIGENT_TIERING` AWS charges each"
                      + " object for at least 128 KiB and 30 or 90 days."));
  public static final Setting<ObjectTags> TAGS =
      TABLE.add(
          new Setting<>("tags", ObjectTags.class, null, new ObjectTags.TagLimits())
              .takes("`a=b, c=d`, at most 10")
              .means("Tags of each object. The hosts need `s3:PutObjectTagging`."));
  public static final Setting<LockMode> OBJECT_LOCK =
      TABLE.add(
          Setting.wordIfAny("object_lock", LockMode.class)
              .takes("`governance`, `compliance`")
              .means(
                  "Locks each object for the time in `retain`. The bucket needs Object Lock, the"
                      + " hosts need `s3:PutObjectRetention`. The objects that test the store are"
                      + " not locked, unless the bucket locks all objects by default."));
  public static final Setting<Duration> RETAIN =
      TABLE.add(
          Setting.durationIfAny("retain", "400d", "1d", "36500d")
              .means(
                  "Required with `object_lock`: how long each object is locked, counted from its"
                      + " PUT by the database's clock."));

  public S3Config(SectionValues recorder) {
    super(TABLE, recorder);
  }

  /** Checks {@code [s3]} itself, including keys that no recorder inherits. */
  public static void check(SectionReader shared) {
    shared.read(TABLE);
  }

  /**
   * Reads the store's keys for one recorder. A key that is missing in both sections is reported in
   * {@code [s3]}, if the file has that section.
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
      // Stores other than AWS rarely serve host names that include the bucket.
      own.set(PATH_STYLE, elsewhere);
    }
    new Combinations(own, setting -> from(setting, own, shared, hasShared)).check();
  }

  /** Checks keys that need or exclude another key. Reports each fault on the line of a key. */
  private record Combinations(SectionReader own, Function<Setting<?>, SectionReader> of) {

    void check() {
      String sse = own.optional(SSE);
      if (!"aws:kms".equals(sse) && !of.apply(SSE).refused(SSE)) {
        refuse(
            KMS_KEY_ID,
            "kms_key_id has no meaning without sse = aws:kms",
            "write sse = aws:kms, or leave the key out");
      }
      if (own.optional(ROLE_ARN) == null && !of.apply(ROLE_ARN).refused(ROLE_ARN)) {
        refuse(EXTERNAL_ID, "external_id has no meaning without role_arn", "leave the key out");
      }
      checkLock();
      if (own.optional(ENDPOINT) != null) {
        refuseBesideEndpoint(DUALSTACK);
        refuseBesideEndpoint(FIPS);
      }
    }

    private void checkLock() {
      LockMode lock = own.optional(OBJECT_LOCK);
      if (lock == null) {
        if (!of.apply(OBJECT_LOCK).refused(OBJECT_LOCK)) {
          refuse(RETAIN, "retain has no meaning without object_lock", "leave the key out");
        }
        return;
      }
      SectionReader section = of.apply(OBJECT_LOCK);
      if (own.optional(RETAIN) == null && !of.apply(RETAIN).refused(RETAIN)) {
        section.error(
            OBJECT_LOCK, "object_lock does not say for how long", "write retain = 400d, or so");
      }
      if (own.optional(CHECKSUMS) == Checksums.WHEN_REQUIRED) {
        of.apply(CHECKSUMS)
            .error(
                CHECKSUMS,
                "checksums = when_required, and a bucket with object_lock demands them",
                "leave the key out");
      }
    }

    private void refuseBesideEndpoint(Setting<Boolean> setting) {
      if (Boolean.TRUE.equals(own.optional(setting))) {
        of.apply(setting)
            .error(
                setting,
                setting.key() + " chooses among AWS's endpoints, and endpoint names another store",
                "leave one of the two out");
      }
    }

    private void refuse(Setting<?> setting, String what, String help) {
      if (own.optional(setting) != null) {
        of.apply(setting).error(setting, what, help);
      }
    }
  }

  /** Returns the attributes that each object of the recorder gets. */
  public ObjectAttributes attributes() {
    String sse = orNull(SSE);
    LockMode lock = orNull(OBJECT_LOCK);
    ObjectTags tags = orNull(TAGS);
    return new ObjectAttributes(
        sse == null
            ? null
            : new ObjectAttributes.Encryption(
                sse, Objects.requireNonNullElse(orNull(KMS_KEY_ID), "")),
        Objects.requireNonNullElse(orNull(STORAGE_CLASS), ""),
        tags == null ? Map.of() : tags.tags(),
        lock == null ? null : new ObjectAttributes.ObjectLock(lock, get(RETAIN)));
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
   * Limits the prefix, since a key has at most 1,024 bytes. The prefix is followed by the
   * recorder's name (40 bytes) and the name of a slot or of a test object (at most 58), or by an
   * entity's id. An id of 155 bytes must fit, and each byte may be encoded as three.
   */
  private record Folders() implements Rule<String> {
    private static final int MOST_CHARACTERS = 512;

    /** Possessive quantifiers avoid backtracking, which would use the stack. */
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

  record HttpAddress() implements Rule<URI> {
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

  /** Requires a class whose objects can be read at once: the recorder reads its own log. */
  private record ReadableClass() implements Rule<String> {
    private static final Set<String> READABLE =
        Set.of("STANDARD", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR");
    private static final Set<String> ARCHIVES = Set.of("GLACIER", "DEEP_ARCHIVE");

    @Override
    public @Nullable String fault(String value) {
      if (ARCHIVES.contains(value)) {
        return "is an archive, whose objects must be restored before they can be read: a log must"
            + " be readable";
      }
      return READABLE.contains(value) ? null : "is not a storage class that the recorder uses";
    }

    @Override
    public String allowed() {
      return "STANDARD, STANDARD_IA, ONEZONE_IA, INTELLIGENT_TIERING or GLACIER_IR";
    }
  }
}
