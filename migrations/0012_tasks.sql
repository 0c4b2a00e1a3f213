-- Something that somebody has to do, by a time or without one.
create table tasks (
  account_id       integer not null references accounts,
  id               uuid not null default uuidv7(),
  subject          text not null,
  body             text,
  priority         text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  due_at           timestamptz,
  reminder_offsets integer[] not null default '{}', -- minutes before due_at
  taskable_type    text check (taskable_type in ('Trip', 'Lead', 'Customer', 'Booking', 'Communication')),
  taskable_id      uuid, -- in the table of its type, so without a foreign key; the record may be gone
  owner_id         uuid,
  assigned_to_id   uuid,
  completed_at     timestamptz,
  completed_by_id  uuid,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  search           text generated always as (fold(subject || E'\n' || coalesce(body, ''))) stored,
  primary key (account_id, id),
  foreign key (account_id, owner_id) references seats,
  foreign key (account_id, assigned_to_id) references seats,
  foreign key (account_id, completed_by_id) references seats,
  check ((taskable_type is null) = (taskable_id is null))
);
-- Every list is in the order of what is due first, and what has no due date comes last.
create index tasks_pending on tasks (account_id, coalesce(due_at, 'infinity'), id) where completed_at is null;
create index tasks_completed on tasks (account_id, coalesce(due_at, 'infinity'), id) where completed_at is not null;
create index tasks_assigned_pending on tasks (account_id, assigned_to_id, coalesce(due_at, 'infinity'), id) where completed_at is null;
create index tasks_assigned_completed on tasks (account_id, assigned_to_id, coalesce(due_at, 'infinity'), id) where completed_at is not null;
create index tasks_search on tasks using gin (account_id, search gin_trgm_ops);
create index tasks_taskable on tasks (account_id, taskable_id) where taskable_id is not null;
create index tasks_owner on tasks (account_id, owner_id) where owner_id is not null;
create index tasks_completed_by on tasks (account_id, completed_by_id) where completed_by_id is not null;
call wall('tasks');

-- When the assignee of a task is told that it is due. A row that has fired stays, so that it does not fire again.
create table task_reminders (
  account_id      integer not null,
  task_id         uuid not null,
  minutes_before  integer not null,
  fire_at         timestamptz not null,
  fired_at        timestamptz,
  next_attempt_at timestamptz not null, -- fire_at, or the end of the lease of whoever fires it
  leased_by       uuid, -- made anew by each claim
  primary key (account_id, task_id, minutes_before),
  foreign key (account_id, task_id) references tasks on delete cascade
);
create index task_reminders_due on task_reminders (next_attempt_at) where fired_at is null;
call wall('task_reminders');

-- The warnings that were given before an option date. A booking whose date moves is warned of again.
create table booking_option_warnings (
  account_id  integer not null,
  booking_id  uuid not null,
  option_date date not null,
  days_before integer not null,
  warned_at   timestamptz not null default now(),
  primary key (account_id, booking_id, option_date, days_before),
  foreign key (account_id, booking_id) references bookings
);
call wall('booking_option_warnings');
create index bookings_options on bookings (account_id, option_date) where status = 'option' and deleted_at is null;
insert into scheduled_runs (name) values ('option dates');

-- A booking as text, without a word of whom it is for: Hotel Stay H-9001.
create function booking_label(entity text, external_id text) returns text language sql immutable parallel safe
  return concat_ws(' ', initcap(replace(rtrim(entity, 's'), '_', ' ')), external_id);
