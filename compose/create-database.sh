#!/bin/sh
# Runs once, in an empty database volume. The program logs in as a role that is not a superuser, so that row-level security
# holds for everything it sends; CREATEROLE lets its first migration make the roles that requests run as.
set -eu
psql --username=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/database_password)" <<'SQL'
create role backdesk login nosuperuser nobypassrls createrole password :'password';
create database backdesk owner backdesk;
SQL
