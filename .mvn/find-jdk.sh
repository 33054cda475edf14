# Sourced by ./jdyno and ./mvnw: sets JAVA_HOME to a JDK of at least $1, or leaves it and returns 1.
# Looks at JAVA_HOME, PATH, then where Linux distributions, SDKMAN, asdf, Homebrew and macOS put JDKs.

# java_major HOME: prints the feature version (25) of the JDK there, nothing when there is none
java_major() {
  [ -x "$1/bin/java" ] || return 0
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$1/release" | head -n 1
  else
    "$1/bin/java" -version 2>&1 | sed -n 's/.*version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1
  fi
}

# is_jdk HOME LEAST NEED_COMPILER
is_jdk() {
  _major=$(java_major "$1")
  [ -n "$_major" ] && [ "$_major" -ge "$2" ] || return 1
  [ "$3" != compiler ] || [ -x "$1/bin/javac" ]
}

# find_jdk LEAST [compiler]
find_jdk() {
  if [ -n "${JAVA_HOME-}" ] && is_jdk "$JAVA_HOME" "$1" "${2-}"; then
    export JAVA_HOME
    return 0
  fi
  _path_java=$(command -v java 2>/dev/null || true)
  if [ -n "$_path_java" ]; then
    _real=$(readlink -f "$_path_java" 2>/dev/null || echo "$_path_java")
    _home=${_real%/bin/java}
    if is_jdk "$_home" "$1" "${2-}"; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
  fi
  for _home in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* \
    "${SDKMAN_DIR:-${HOME-}/.sdkman}"/candidates/java/* "${HOME-}"/.asdf/installs/java/* \
    "${HOME-}"/.jdks/* "${HOME-}"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if is_jdk "$_home" "$1" "${2-}"; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
  done
  return 1
}

# no_jdk LEAST: says what to install
no_jdk() {
  {
    echo "error: jdyno needs a JDK $1 or newer, and found none"
    echo "  why: looked at JAVA_HOME (${JAVA_HOME:-not set}), PATH ($(command -v java || echo no java)), /usr/lib/jvm, /opt, SDKMAN, asdf, macOS"
    echo "  fix: install one (apt-get install temurin-$1-jdk, dnf install java-$1-openjdk-devel, sdk install java $1-tem,"
    echo "       brew install openjdk@$1) or set JAVA_HOME to a JDK that is there"
  } >&2
}
