#!/bin/sh
# Fills a folder with links to what the README asks for and nothing else: Node, npm, npx, git, sh and the programs of
# coreutils, each as it is found on the PATH. With this folder alone as PATH a machine looks as if nobody had prepared it.
# Usage: scripts/bare-path.sh FOLDER
set -eu

folder=${1:?'write scripts/bare-path.sh FOLDER'}
mkdir -p "$folder"

# Links a program; false where no folder of the PATH holds it. `command -v` would name what the shell has built in.
link_program() (
  IFS=:
  for place in $PATH; do
    if [ -f "$place/$1" ] && [ -x "$place/$1" ]; then
      ln -sf "$place/$1" "$folder/$1"
      exit 0
    fi
  done
  exit 1
)

for program in node npm npx git sh; do
  if ! link_program "$program"; then
    echo "$program is not on the PATH; install it first" >&2
    exit 1
  fi
done

# Some builds of coreutils lack a few of these.
for program in '[' arch b2sum base32 base64 basename basenc cat chcon chgrp chmod chown chroot cksum comm cp csplit cut \
  date dd df dir dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join \
  link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv \
  printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep \
  sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq \
  unlink users vdir wc who whoami yes; do
  link_program "$program" || true
done
