# Sourced by the scripts beside it.

# build_if_stale HOME SOURCES...: builds the checkout HOME if that has not been done since the last
# change of a pom.xml or of one of the folders recorder-*/SOURCES. Without checks: they are for who changes it.
build_if_stale() {
  # Only a checkout has anything to build.
  if [[ ! -f $1/pom.xml ]] || ! is_stale "$@"; then return; fi
  exec 9<"$1/pom.xml"
  # Several machines are often started at once; one of them builds.
  if command -v flock >/dev/null; then flock 9; fi
  # Standard output belongs to the command.
  if is_stale "$@"; then mvn -q -B -ntp -f "$1/pom.xml" -Punchecked package >&2 9<&-; fi
  exec 9<&-
}

is_stale() {
  local home=$1 sources folders=()
  # The last thing that Maven's package phase writes, in every build, so its age is that of the build.
  local stamp=$home/recorder-app/target/test-classpath.txt
  if [[ ! -d $home/recorder-app/target/recorder/lib || ! -f $stamp ]]; then return 0; fi
  for sources in "${@:2}"; do folders+=("$home"/recorder-*/"$sources"); done
  [[ -n $(find "$home"/pom.xml "$home"/recorder-*/pom.xml "${folders[@]}" \
    -newer "$stamp" -print -quit) ]]
}

# run_test_class HOME [JVM-OPTIONS...] CLASS ARGUMENTS...: becomes a JVM that runs a class of the app's test tree.
run_test_class() {
  local app=$1/recorder-app/target
  # exec: Ctrl-C and SIGTERM must reach the JVM, which cleans up.
  exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -cp "$app/test-classes:$app/classes:$(<"$app/test-classpath.txt")" "${@:2}"
}
