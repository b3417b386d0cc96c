# Sourced by the scripts beside it.

# build_if_stale HOME SOURCES...: builds the checkout HOME if a pom.xml or a file in one of the folders
# recorder-*/SOURCES is newer than the last build. Builds without checks, which only developers need.
build_if_stale() {
  # An installation has no pom.xml, and nothing to build.
  if [[ ! -f $1/pom.xml ]] || ! is_stale "$@"; then return; fi
  exec 9<"$1/pom.xml"
  # Several hosts are often started at once. Only one of their scripts builds.
  if command -v flock >/dev/null; then flock 9; fi
  # Maven prints to standard error: standard output belongs to the command.
  if is_stale "$@"; then mvn -q -B -ntp -f "$1/pom.xml" -Punchecked package >&2 9<&-; fi
  exec 9<&-
}

is_stale() {
  local home=$1 sources folders=()
  # The last file that each build writes, so its age is the age of the build.
  local stamp=$home/recorder-app/target/test-classpath.txt
  if [[ ! -d $home/recorder-app/target/recorder/lib || ! -f $stamp ]]; then return 0; fi
  for sources in "${@:2}"; do folders+=("$home"/recorder-*/"$sources"); done
  [[ -n $(find "$home"/pom.xml "$home"/recorder-*/pom.xml "${folders[@]}" \
    -newer "$stamp" -print -quit) ]]
}

# run_test_class HOME [JVM-OPTIONS...] CLASS ARGUMENTS...: replaces this shell by a JVM that runs a test class.
run_test_class() {
  local app=$1/recorder-app/target
  # exec, so that Ctrl-C and SIGTERM reach the JVM, which cleans up.
  exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$app/test-classes:$app/classes:$(<"$app/test-classpath.txt")" "${@:2}"
}
