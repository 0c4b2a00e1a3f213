-- Requests of API keys, written in batches after the responses.

create table request_log (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  at          timestamptz not null,
  key_id      uuid not null,
  method      text not null,
  route       text not null, -- template of the path; 'none' where no route takes it
  path        text not null, -- without the query
  status      integer, -- null if the client hung up before the response
  duration_ms float8 not null,
  address     text not null,
  request_id  text not null,
  batch_id    uuid,
  row_count   integer not null, -- rows that were sent for import
  body        jsonb, -- of a write that failed, with masked values
  primary key (account_id, id)
);
comment on table request_log is 'Requests of API keys of the last 30 days. Without foreign keys, for speed: rows only come from admitted keys.';
comment on column request_log.route is 'template of the path; ''none'' where no route takes it';
comment on column request_log.path is 'without the query';
comment on column request_log.status is 'null if the client hung up before the response';
comment on column request_log.row_count is 'rows that were sent for import';
comment on column request_log.body is 'of a write that failed, with masked values';
create index request_log_age on request_log using brin (at);
comment on index request_log_age is 'the purge asks for all accounts';
call wall('request_log');

create table request_usage (
  account_id integer not null,
  day        date not null, -- UTC
  key_id     uuid not null,
  method     text not null,
  route      text not null,
  requests   bigint not null,
  failed     bigint not null, -- status 400 or above, without those refused
  refused    bigint not null, -- by the rate limit
  row_count  bigint not null,
  primary key (account_id, day, key_id, method, route)
);
comment on table request_usage is 'Requests per day, key and route. They are counted apart from the request log, which drops rows under overload.';
comment on column request_usage.day is 'UTC';
comment on column request_usage.failed is 'status 400 or above, without those refused';
comment on column request_usage.refused is 'by the rate limit';
create index request_usage_age on request_usage using brin (day);
comment on index request_usage_age is 'the purge asks for all accounts';
call wall('request_usage');
