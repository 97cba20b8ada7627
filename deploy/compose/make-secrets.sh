#!/bin/sh
# Makes the secrets of docker-compose.production.yml in ./secrets; those that exist stay.
# Containers run as other users and must be able to read the files, so the directory alone keeps others out.
set -eu
mkdir -p secrets
chmod 700 secrets
cd secrets

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
write() { printf '%s\n' "$2" >"$1" && chmod 644 "$1"; }

for name in app-secret admin-password postgres-password; do
  [ -s "$name" ] || write "$name" "$(random)"
done
[ -s database-url ] || write database-url "postgres://service:$(cat postgres-password)@postgres:5432/service"
echo "The first user signs in with the password in secrets/admin-password. Keep a copy of secrets/app-secret elsewhere."
[ -s smtp-url ] || {
  echo "Write the URL of your relay to secrets/smtp-url: smtp://user:password@smtp.example.com:587"
  exit 1
}
chmod 644 smtp-url
