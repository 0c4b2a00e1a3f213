alter table seats add column version integer not null default 1;
comment on column seats.version is 'counts its changes, so that an editor who read an older one is refused';
