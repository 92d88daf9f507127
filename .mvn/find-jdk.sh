# Sourced by ./mvnw and ./heddle: finds a JDK that is new enough. POSIX sh, starts no JVM.
# Call find_jdk; it sets `jdk` to the JDK's home, or to nothing when there is none.

minimum_jdk=25

# Sets jdk_version to the version of the JDK in $1, and jdk_feature to its first number (25 for
# "25.0.1"), or to 0.
jdk_feature_of() {
  jdk_version=
  jdk_feature=0
  [ -x "$1/bin/javac" ] && [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 0
  while IFS= read -r jdk_line || [ -n "$jdk_line" ]; do
    case $jdk_line in
      JAVA_VERSION=*)
        jdk_line=${jdk_line#JAVA_VERSION=}
        jdk_line=${jdk_line#\"}
        jdk_version=${jdk_line%\"}
        jdk_line=${jdk_line%%[!0-9]*}
        jdk_feature=${jdk_line:-0}
        return 0
        ;;
    esac
  done <"$1/release"
}

find_jdk() {
  jdk=
  # What the user chose comes first: JAVA_HOME, then the path.
  if [ -n "${JAVA_HOME:-}" ]; then
    jdk_feature_of "$JAVA_HOME"
    if [ "$jdk_feature" -ge "$minimum_jdk" ]; then
      jdk=$JAVA_HOME
      return 0
    fi
  fi
  jdk_javac=$(command -v javac 2>/dev/null) || jdk_javac=
  if [ -n "$jdk_javac" ]; then
    jdk_javac=$(readlink -f "$jdk_javac" 2>/dev/null || printf '%s' "$jdk_javac")
    jdk_candidate=${jdk_javac%/bin/javac}
    jdk_feature_of "$jdk_candidate"
    if [ "$jdk_feature" -ge "$minimum_jdk" ]; then
      jdk=$jdk_candidate
      return 0
    fi
  fi
  # Then the usual folders. The oldest that is new enough is the one that the build is tested with.
  jdk_best=0
  for jdk_candidate in \
    /usr/lib/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
    "${HOME:-/nonexistent}"/.asdf/installs/java/* \
    "${HOME:-/nonexistent}"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    jdk_feature_of "$jdk_candidate"
    if [ "$jdk_feature" -ge "$minimum_jdk" ] \
      && { [ "$jdk_best" -eq 0 ] || [ "$jdk_feature" -lt "$jdk_best" ]; }; then
      jdk_best=$jdk_feature
      jdk=$jdk_candidate
    fi
  done
}

# Says on standard error what to do when find_jdk found nothing; $1 is the command that needs it.
explain_missing_jdk() {
  {
    echo "$1: needs a JDK of version $minimum_jdk or newer, and found none."
    echo "  Looked at JAVA_HOME (${JAVA_HOME:-not set}), javac on the PATH, /usr/lib/jvm, /opt,"
    echo "  ~/.sdkman, ~/.jdks and the JDK folders of macOS."
    echo "  Install one (Debian, Ubuntu: apt install openjdk-$minimum_jdk-jdk; macOS: brew install"
    echo "  openjdk@$minimum_jdk; SDKMAN: sdk install java), or set JAVA_HOME to the one you have."
  } >&2
}
