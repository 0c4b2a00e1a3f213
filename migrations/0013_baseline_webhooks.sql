-- Webhooks: subscriptions, events, and their deliveries.

-- Subscriptions of receivers.
create table webhooks (
  account_id    integer not null references accounts,
  id            uuid not null default uuidv7(),
  url           text not null,
  events        text[] not null, -- of record.created, record.updated, record.deleted; never empty
  entities      text[] not null, -- empty: all that fire events, also those of later versions
  role          text not null, -- role of the key that subscribed; fields that it may not see are not sent
  active        boolean not null default true,
  signing_key   bytea not null, -- sealed; the secret itself is not stored
  former_key    bytea, -- sealed; also signs until former_until
  former_until  timestamptz,
  failing_since timestamptz, -- first failure after the last success
  failed        integer not null default 0, -- deliveries that failed for good since then
  leased_by     uuid, -- of the worker that delivers to it
  leased_until  timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  primary key (account_id, id)
);
create index webhooks_newest on webhooks (account_id, created_at desc, id desc) where deleted_at is null;
call wall('webhooks');

-- What happened to a record, one event for each record and transaction; or a test event.
create table webhook_events (
  account_id  integer not null references accounts,
  id          uuid not null default uuidv7(), -- sent as evt_ and its 32 hexadecimal digits
  event       text not null check (event in ('record.created', 'record.updated', 'record.deleted', 'ping')),
  entity      text,
  record_id   uuid,
  external_id text,
  occurred_at timestamptz not null default now(),
  primary key (account_id, id)
);
create index webhook_events_old on webhook_events (occurred_at);
comment on index webhook_events_old is 'the purge of webhook events asks for all accounts';
call wall('webhook_events');

-- The body that subscriptions of a role get of an event: the same bytes in every attempt, stored once for all of them.
create table webhook_payloads (
  account_id integer not null,
  event_id   uuid not null,
  role       text not null,
  payload    text not null,
  primary key (account_id, event_id, role),
  foreign key (account_id, event_id) references webhook_events on delete cascade
) with (toast_tuple_target = 8160); -- compressing bodies takes longer than writing them
call wall('webhook_payloads');

-- Events on their way to subscriptions, a queue.
create table webhook_deliveries (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  webhook_id      uuid not null,
  event_id        uuid not null,
  role            text not null, -- the subscription's
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempts        integer not null default 0, -- counted before the request is sent
  next_attempt_at timestamptz not null default now(), -- during an attempt, the end of its lease
  finished_at     timestamptz,
  created_at      timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, webhook_id) references webhooks,
  foreign key (account_id, event_id, role) references webhook_payloads on delete cascade,
  check ((status = 'pending') = (finished_at is null))
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index webhook_deliveries_due on webhook_deliveries (account_id, webhook_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_newest on webhook_deliveries (account_id, webhook_id, created_at desc, id desc);
create index webhook_deliveries_event on webhook_deliveries (account_id, event_id, role);
call wall('webhook_deliveries');

-- Attempts of a delivery and what the receiver answered.
create table webhook_attempts (
  account_id       integer not null,
  delivery_id      uuid not null,
  number           integer not null,
  at               timestamptz not null,
  status_code      integer,
  error            text,
  duration_ms      integer not null,
  response_excerpt text,
  primary key (account_id, delivery_id, number),
  foreign key (account_id, delivery_id) references webhook_deliveries on delete cascade
);
call wall('webhook_attempts');
