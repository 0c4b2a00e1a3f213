create table request_hours (
  account_id integer not null,
  key_id     uuid not null,
  hour       timestamptz not null,
  requests   bigint not null,
  primary key (account_id, key_id, hour)
);
create index request_hours_age on request_hours using brin (hour);
comment on index request_hours_age is 'the purge asks for all accounts';
comment on table request_hours is 'Requests of each API key by the hour, for two days, to show how many there were in the last 24 hours.';
call wall('request_hours');
