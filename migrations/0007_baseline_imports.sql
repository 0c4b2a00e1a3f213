-- Import batches and their rows.

-- Batches of imported rows. Those that are processed after the response are a queue: each account's run one after the other,
-- in the order in which they were accepted. A worker's lease is next_attempt_at in the future, so the batch of a dead worker
-- becomes due again by itself.
create table import_batches (
  account_id      integer not null,
  id              uuid not null default uuidv7(),
  entity          text not null,
  mode            text not null check (mode in ('sync', 'async')),
  status          text not null,
  source_system   text not null,
  company_id      uuid not null,
  branch_id       uuid,
  on_conflict     text not null,
  counts          jsonb not null,
  created_at      timestamptz not null default now(),
  started_at      timestamptz,
  finished_at     timestamptz,
  processed       integer not null default 0, -- rows with an outcome
  ignored_fields  text[] not null default '{}',
  error           text, -- why the whole batch failed
  options         jsonb, -- how its rows are read, fixed when it was accepted; null for a synchronous batch
  principal_id    uuid, -- the seat that is notified when it ends
  next_attempt_at timestamptz,
  attempts        integer not null default 0, -- at the next chunk
  failures        integer not null default 0, -- attempts that ended in an error
  leased_by       uuid, -- new for each claim
  purge_at        timestamptz, -- when its rows are deleted; its outcomes stay
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, principal_id) references seats,
  check (finished_at is not null or next_attempt_at is not null)
);
create index import_batches_newest on import_batches (account_id, created_at, id);
create index import_batches_of_entity on import_batches (account_id, entity, created_at, id);
create index import_batches_of_status on import_batches (account_id, status, created_at, id) where status <> 'completed';
create index import_batches_unfinished on import_batches (account_id, created_at, id) where finished_at is null;
create index import_batches_purge on import_batches (purge_at) where purge_at is not null;
comment on index import_batches_purge is 'the purge of import payloads asks for all accounts';
create index import_batches_company on import_batches (account_id, company_id);
create index import_batches_branch on import_batches (account_id, branch_id);
create index import_batches_principal on import_batches (account_id, principal_id) where principal_id is not null;
call wall('import_batches');

-- The rows of a batch, in chunks of one transaction each, with their outcomes. The JSON is kept as text, since it is only
-- handed out and never searched.
create table import_chunks (
  account_id  integer not null,
  batch_id    uuid not null,
  nth         integer not null, -- from 0
  first_index integer not null, -- position of its first row in the batch
  rows        json, -- null if they were imported at once, and after the purge
  outcomes    json, -- null until the chunk is done
  changed     bigint, -- change number of its records
  primary key (account_id, batch_id, nth),
  foreign key (account_id, batch_id) references import_batches
);
call wall('import_chunks');
-- Keeping outcomes must not slow imports down. Without lz4 the server's own compression costs more than everything else about
-- keeping them.
do $$ begin
  alter table import_chunks alter rows set compression lz4, alter outcomes set compression lz4;
exception when feature_not_supported then
  alter table import_chunks alter outcomes set storage external;
end $$;
