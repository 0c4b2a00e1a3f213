-- Saved reports and their scheduled runs.

-- Reports that an agency keeps: a preset with its filters, or a definition of its own. Those with a schedule are a queue.
create table saved_reports (
  account_id         integer not null references accounts,
  id                 uuid not null default uuidv7(),
  name               text not null,
  preset_key         text,
  filters            jsonb, -- of a preset, by name
  definition         jsonb, -- {entity, columns, filters, group_by, sort}
  schedule_frequency text check (schedule_frequency in ('daily', 'weekly', 'monthly')),
  schedule_hour      smallint check (schedule_hour between 0 and 23), -- on the account's clock
  schedule_weekday   text check (schedule_weekday in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')),
  schedule_day       text, -- 1 to 28, or last
  file_format        text not null check (file_format in ('csv', 'xlsx')),
  recipients         text[] not null default '{}',
  saved_by_id        uuid not null, -- a scheduled run sees what this seat sees
  saved_as           text, -- and no more than this role, the one of the seat's key
  due_at             timestamptz, -- when it runs next; null if it only runs on demand
  next_attempt_at    timestamptz, -- due_at, or the end of a lease
  leased_by          uuid, -- new for each claim
  attempts           integer not null default 0, -- at the run that is due
  last_run_at        timestamptz,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, saved_by_id) references seats,
  check ((preset_key is null) <> (definition is null)),
  check ((schedule_frequency is null) = (due_at is null) and (due_at is null) = (next_attempt_at is null)),
  check (schedule_frequency is null or schedule_hour is not null and cardinality(recipients) > 0),
  check (schedule_frequency is distinct from 'weekly' or schedule_weekday is not null),
  check (schedule_frequency is distinct from 'monthly' or schedule_day is not null)
);
create index saved_reports_newest on saved_reports (account_id, created_at, id);
create index saved_reports_due on saved_reports (next_attempt_at) where next_attempt_at is not null;
comment on index saved_reports_due is 'the queue of scheduled reports asks for all accounts';
create index saved_reports_saved_by on saved_reports (account_id, saved_by_id);
call wall('saved_reports');

-- Outcomes of scheduled runs, one row for each due time.
create table saved_report_runs (
  account_id      integer not null,
  saved_report_id uuid not null,
  due_at          timestamptz not null,
  status          text not null check (status in ('sent', 'skipped', 'failed')),
  reason          text, -- why it was not sent
  finished_at     timestamptz not null default now(),
  primary key (account_id, saved_report_id, due_at),
  foreign key (account_id, saved_report_id) references saved_reports on delete cascade
);
call wall('saved_report_runs');
