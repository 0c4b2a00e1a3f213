-- Tasks, their reminders, notifications of seats, and surveys, whose detractors become tasks.

-- What a seat has to do, with or without a due time.
create table tasks (
  account_id       integer not null references accounts,
  id               uuid not null default uuidv7(),
  subject          text not null,
  body             text,
  priority         text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  due_at           timestamptz,
  reminder_offsets integer[] not null default '{}', -- minutes before due_at
  taskable_type    text check (taskable_type in ('Trip', 'Lead', 'Customer', 'Booking', 'Communication')),
  taskable_id      uuid, -- in the table of its type, so without a foreign key; the record may be deleted
  owner_id         uuid,
  assigned_to_id   uuid,
  completed_at     timestamptz,
  completed_by_id  uuid,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  search           text generated always as (fold(subject || E'\n' || coalesce(body, ''))) stored, -- what `q` searches
  primary key (account_id, id),
  foreign key (account_id, owner_id) references seats,
  foreign key (account_id, assigned_to_id) references seats,
  foreign key (account_id, completed_by_id) references seats,
  check ((taskable_type is null) = (taskable_id is null))
);
-- Every list begins with what is due first; tasks without a due time come last.
create index tasks_pending on tasks (account_id, coalesce(due_at, 'infinity'), id) where completed_at is null;
create index tasks_completed on tasks (account_id, coalesce(due_at, 'infinity'), id) where completed_at is not null;
create index tasks_assigned_pending on tasks (account_id, assigned_to_id, coalesce(due_at, 'infinity'), id) where completed_at is null;
create index tasks_assigned_completed on tasks (account_id, assigned_to_id, coalesce(due_at, 'infinity'), id) where completed_at is not null;
create index tasks_search on tasks using gin (account_id, search gin_trgm_ops);
create index tasks_taskable on tasks (account_id, taskable_id) where taskable_id is not null;
create index tasks_owner on tasks (account_id, owner_id) where owner_id is not null;
create index tasks_completed_by on tasks (account_id, completed_by_id) where completed_by_id is not null;
call wall('tasks');

-- When the assignee of a task is reminded, a queue. A row that has fired stays, so that it does not fire again.
create table task_reminders (
  account_id      integer not null,
  task_id         uuid not null,
  minutes_before  integer not null,
  fire_at         timestamptz not null,
  fired_at        timestamptz,
  next_attempt_at timestamptz not null, -- fire_at, or the end of a lease
  leased_by       uuid, -- new for each claim
  primary key (account_id, task_id, minutes_before),
  foreign key (account_id, task_id) references tasks on delete cascade
);
create index task_reminders_due on task_reminders (next_attempt_at) where fired_at is null;
comment on index task_reminders_due is 'the queue of reminders asks for all accounts';
call wall('task_reminders');

-- What a seat is notified of inside the application.
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
create index notifications_subject on notifications (account_id, subject_id) where subject_id is not null; -- deleted with their subject
call wall('notifications');

-- ## Surveys

-- What the primary customer of a trip is asked after it, once, and the answer.
create table surveys (
  account_id        integer not null,
  id                uuid not null default uuidv7(),
  trip_id           uuid not null,
  customer_id       uuid not null,
  advisor_id        uuid, -- who looked after the trip when the customer was asked
  invited_at        timestamptz not null default now(),
  started_at        timestamptz, -- a person opened the page; robots do not count
  completed_at      timestamptz, -- first answer; it may be changed for a day
  nps               smallint check (nps between 0 and 10), -- how likely the customer is to recommend the agency
  comment           text,
  follow_up_task_id uuid, -- of a detractor
  reminder_status   text not null default 'scheduled' check (reminder_status in ('scheduled', 'sent', 'skipped')),
  reminder_due_at   timestamptz not null,
  leased_by         uuid,
  next_attempt_at   timestamptz not null, -- reminder_due_at, or the end of a lease
  primary key (account_id, id),
  unique (account_id, trip_id),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, advisor_id) references seats,
  foreign key (account_id, follow_up_task_id) references tasks on delete set null (follow_up_task_id),
  check ((completed_at is null) = (nps is null)),
  check (completed_at is null or started_at is not null)
);
create index surveys_invited on surveys (account_id, invited_at);
create index surveys_customer on surveys (account_id, customer_id, invited_at);
create index surveys_advisor on surveys (account_id, advisor_id) where advisor_id is not null;
create index surveys_follow_up on surveys (account_id, follow_up_task_id) where follow_up_task_id is not null;
create index surveys_reminder_due on surveys (next_attempt_at) where reminder_status = 'scheduled' and completed_at is null;
comment on index surveys_reminder_due is 'the queue of survey reminders asks for all accounts';
call wall('surveys');

-- Ratings of what happened on the trip. A rating stays when its segment is deleted.
create table survey_ratings (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  survey_id   uuid not null,
  segment_id  uuid,
  supplier_id uuid,
  rating      smallint not null check (rating between 1 and 5),
  primary key (account_id, id),
  unique (account_id, survey_id, segment_id) include (supplier_id, rating), -- covers the performance dashboard
  foreign key (account_id, survey_id) references surveys on delete cascade,
  foreign key (account_id, segment_id) references trip_segments on delete set null (segment_id),
  foreign key (account_id, supplier_id) references suppliers
);
create index survey_ratings_segment on survey_ratings (account_id, segment_id) where segment_id is not null;
create index survey_ratings_supplier on survey_ratings (account_id, supplier_id) where supplier_id is not null;
call wall('survey_ratings');

-- What an agency gave for free to make up for what a survey reported.
create table gestures (
  account_id     integer not null,
  id             uuid not null default uuidv7(),
  survey_id      uuid not null,
  description    text not null,
  amount         numeric(19, 4) check (amount >= 0), -- its value; null if unknown
  currency       text,
  recorded_by_id uuid,
  created_at     timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, survey_id) references surveys on delete cascade,
  foreign key (account_id, recorded_by_id) references seats,
  check ((amount is null) = (currency is null))
);
create index gestures_survey on gestures (account_id, survey_id);
create index gestures_recorded_by on gestures (account_id, recorded_by_id) where recorded_by_id is not null;
call wall('gestures');
