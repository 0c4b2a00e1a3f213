-- Where an accepted batch is to be looked up, for the replay of the answer that said so.
alter table idempotency_keys add location text;

-- The batches that are worked on after the answer are a queue. Each account's are done one after the other, in the
-- order in which they were accepted. The lease of a worker is next_attempt_at in the future: a dead worker's batch
-- comes back by itself.
alter table import_batches
  add processed integer not null default 0, -- rows with an outcome
  add ignored_fields text[] not null default '{}',
  add error text, -- why the batch failed as a whole
  add options jsonb, -- how its rows are read, as it was when it was accepted; null for those that were answered at once
  add principal_id uuid, -- whom its end is told to
  add next_attempt_at timestamptz,
  add attempts integer not null default 0, -- at the chunk that comes next
  add failures integer not null default 0, -- of these, those that ended in an error
  add leased_by uuid, -- made anew by each claim
  add purge_at timestamptz, -- when its rows are forgotten; its outcomes stay
  add foreign key (account_id, principal_id) references seats,
  add check (finished_at is not null or next_attempt_at is not null);
update import_batches set processed = (counts ->> 'total')::integer;
create index import_batches_newest on import_batches (account_id, created_at, id);
create index import_batches_of_entity on import_batches (account_id, entity, created_at, id);
create index import_batches_of_status on import_batches (account_id, status, created_at, id) where status <> 'completed';
create index import_batches_unfinished on import_batches (account_id, created_at, id) where finished_at is null;
create index import_batches_purge on import_batches (purge_at) where purge_at is not null;
create index import_batches_principal on import_batches (account_id, principal_id) where principal_id is not null;

-- The rows of a batch, as many together as one transaction imports, and what became of them. Text that is kept as it
-- was made: nobody looks into it but to hand it out.
create table import_chunks (
  account_id  integer not null,
  batch_id    uuid not null,
  nth         integer not null, -- from 0
  first_index integer not null, -- position of its first row in the batch
  rows        json, -- null when they were imported at once, and once they are purged
  outcomes    json, -- null until the chunk is done
  changed     bigint, -- the change number that its records got
  primary key (account_id, batch_id, nth),
  foreign key (account_id, batch_id) references import_batches
);
call wall('import_chunks');
-- Keeping outcomes must not slow the import down: where the server lacks lz4, its own compression costs more than all
-- the rest of keeping them.
do $$ begin
  alter table import_chunks alter rows set compression lz4, alter outcomes set compression lz4;
exception when feature_not_supported then
  alter table import_chunks alter outcomes set storage external;
end $$;

-- What a seat should know.
create table notifications (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  seat_id       uuid not null,
  kind          text not null, -- import_finished …
  title         text not null,
  body          text,
  subject_type  text,
  subject_id    uuid,
  subject_label text,
  priority      text not null default 'normal' check (priority in ('normal', 'high')),
  actor_id      uuid,
  read_at       timestamptz,
  created_at    timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, seat_id) references seats,
  foreign key (account_id, actor_id) references seats
);
create index notifications_newest on notifications (account_id, seat_id, created_at, id);
create index notifications_unread on notifications (account_id, seat_id, created_at, id) where read_at is null;
create index notifications_actor on notifications (account_id, actor_id) where actor_id is not null;
call wall('notifications');

-- A deleted booking is gone, and a row with its external id makes a new one. Deleted ones stay in the index all the
-- same, since the feed shows them by their external id.
alter table bookings drop constraint bookings_account_id_entity_source_system_external_id_key;
create unique index bookings_external_id on bookings (account_id, entity, source_system, external_id, deleted_at)
  nulls not distinct where external_id is not null;
