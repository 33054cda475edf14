#!/bin/sh
# Copies the package to a host and starts an agent there, which ends when this does. Usage:
#   deploy/over-ssh.sh app1 jdyno-VERSION-linux-x64.tar.gz ed25519:... [further words for `jdyno agent`]
# The third word is the run's public key, as `jdyno agents key run.key` shows it, or a file with a token.
# In one line, where the package lies there already:
#   ssh app1 'tar xzf jdyno-*.tar.gz && ./jdyno/bin/jdyno agent --listen 10.0.0.5:4711 --run-key ed25519:...'
set -eu
[ $# -ge 3 ] || { echo "usage: $0 HOST PACKAGE RUN-KEY|TOKEN-FILE [words for jdyno agent]" >&2; exit 2; }
host=$1 package=$2 proof=$3
shift 3
case $host in -*) echo "error: $host is no host" >&2; exit 2 ;; esac

ssh "$host" 'umask 077; mkdir -p .jdyno'
case $proof in
  ed25519:*) set -- --run-key "$proof" "$@" ;;
  *)
    # A token never stands on a command line, and only its owner can read it there.
    ssh "$host" 'umask 077; cat > .jdyno/token' < "$proof"
    set -- --token-file .jdyno/token "$@" ;;
esac
ssh "$host" 'cd .jdyno && rm -rf jdyno && tar xz' < "$package"
if [ $# = 2 ]; then set -- "$@" --listen 0.0.0.0:4711; fi
words=
for word in "$@"; do
  words="$words '$(printf %s "$word" | sed "s/'/'\\\\''/g")'"
done
# -tt: the agent hears of it when this connection ends
exec ssh -tt "$host" ".jdyno/jdyno/bin/jdyno agent $words"
