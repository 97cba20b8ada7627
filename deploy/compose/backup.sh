#!/bin/sh
# Dumps the database of PGHOST, PGUSER, PGDATABASE and the password in PGPASSWORD_FILE into BACKUP_DIR, and removes dumps
# that are older than BACKUP_DAYS days.
set -eu
umask 077
PGPASSWORD=$(cat "$PGPASSWORD_FILE")
export PGPASSWORD
rm -f "$BACKUP_DIR"/*.dump.part # of a dump that was interrupted
file=$BACKUP_DIR/$(date -u +%Y-%m-%dT%H%M%SZ).dump
pg_dump --format=custom --file="$file.part"
mv "$file.part" "$file"
find "$BACKUP_DIR" -name '*.dump' -mtime "+$BACKUP_DAYS" -delete
