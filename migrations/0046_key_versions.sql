alter table api_keys add column version integer not null default 1;
comment on column api_keys.version is 'counts its changes, so that an editor who read an older one is refused';
