create table import_batches (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  entity        text not null,
  mode          text not null check (mode in ('sync', 'async')),
  status        text not null,
  source_system text not null,
  company_id    uuid not null,
  branch_id     uuid,
  on_conflict   text not null,
  counts        jsonb not null,
  created_at    timestamptz not null default now(),
  started_at    timestamptz,
  finished_at   timestamptz,
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches
);
create index import_batches_company on import_batches (account_id, company_id);
create index import_batches_branch on import_batches (account_id, branch_id);
call wall('import_batches');
