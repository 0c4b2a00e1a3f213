-- Who hears of bookings, and what was said to them.
create table webhooks (
  account_id    integer not null references accounts,
  id            uuid not null default uuidv7(),
  url           text not null,
  events        text[] not null, -- of record.created, record.updated, record.deleted; never empty
  entities      text[] not null, -- empty: every one that fires, those of later versions as well
  role          text not null,   -- the role of the key that subscribed; what it may not see is not sent
  active        boolean not null default true,
  signing_key   bytea not null,  -- sealed; the secret itself is not kept
  former_key    bytea,           -- sealed; signs as well until former_until
  former_until  timestamptz,
  failing_since timestamptz,     -- the first failure after the last success
  failed        integer not null default 0, -- deliveries that failed for good since then
  leased_by     uuid,            -- of the worker that delivers to it
  leased_until  timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  deleted_at    timestamptz,
  primary key (account_id, id)
);
create index webhooks_newest on webhooks (account_id, created_at desc, id desc) where deleted_at is null;
call wall('webhooks');

-- Something that happened to a record, one for each record and transaction; or a test.
create table webhook_events (
  account_id  integer not null references accounts,
  id          uuid not null default uuidv7(), -- on the wire evt_ and its 32 hexadecimal digits
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

-- What is said of an event to subscriptions of a role: the very body of every attempt, kept once for all of them.
create table webhook_payloads (
  account_id integer not null,
  event_id   uuid not null,
  role       text not null,
  payload    text not null,
  primary key (account_id, event_id, role),
  foreign key (account_id, event_id) references webhook_events on delete cascade
) with (toast_tuple_target = 8160); -- compressing bodies takes longer than writing them
call wall('webhook_payloads');

-- An event on its way to one subscription. The table is the queue.
create table webhook_deliveries (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  webhook_id      uuid not null,
  event_id        uuid not null,
  role            text not null, -- the subscription's
  status          text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'cancelled')),
  attempts        integer not null default 0, -- counted before the request is sent
  next_attempt_at timestamptz not null default now(), -- while one runs, the end of its lease
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
