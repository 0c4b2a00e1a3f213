-- What the primary customer of a trip is asked after it, once, and what it answered.
create table surveys (
  account_id         integer not null,
  id                 uuid not null default uuidv7(),
  trip_id            uuid not null,
  customer_id        uuid not null,
  advisor_id         uuid,        -- who looked after the trip when the customer was asked
  invited_at         timestamptz not null default now(),
  started_at         timestamptz, -- the page was opened, by no robot
  completed_at       timestamptz, -- the first answer; it may be changed for a day
  nps                smallint check (nps between 0 and 10), -- how likely it is that the customer recommends the agency
  comment            text,
  follow_up_task_id  uuid,        -- of a detractor
  reminder_status    text not null default 'scheduled' check (reminder_status in ('scheduled', 'sent', 'skipped')),
  reminder_due_at    timestamptz not null,
  leased_by          uuid,
  next_attempt_at    timestamptz not null, -- reminder_due_at, or the end of a lease
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

-- How the customer liked what happened on the trip. What it liked stays known when the segment is gone.
create table survey_ratings (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  survey_id   uuid not null,
  segment_id  uuid,
  supplier_id uuid,
  rating      smallint not null check (rating between 1 and 5),
  primary key (account_id, id),
  unique (account_id, survey_id, segment_id) include (supplier_id, rating), -- all that the performance dashboard asks
  foreign key (account_id, survey_id) references surveys on delete cascade,
  foreign key (account_id, segment_id) references trip_segments on delete set null (segment_id),
  foreign key (account_id, supplier_id) references suppliers
);
create index survey_ratings_segment on survey_ratings (account_id, segment_id) where segment_id is not null;
create index survey_ratings_supplier on survey_ratings (account_id, supplier_id) where supplier_id is not null;
call wall('survey_ratings');

-- What an agency gave for nothing to make up for what a survey told.
create table gestures (
  account_id     integer not null,
  id             uuid not null default uuidv7(),
  survey_id      uuid not null,
  description    text not null,
  amount         numeric(19, 4) check (amount >= 0), -- what it is worth; null where that is not known
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

-- Welcome-home, survey, anniversary and rebook are touches. All kinds have one sender.
alter table trip_notifications
  drop constraint trip_notifications_kind_check,
  add constraint trip_notifications_kind_check check (kind in ('payment_due', 'documents_due', 'passport_check', 'online_check_in',
    'pre_departure', 'bon_voyage', 'welcome_home', 'survey', 'anniversary', 'rebook'));
drop index trip_notifications_due;
create index trip_notifications_due on trip_notifications (next_attempt_at) where status = 'scheduled';
comment on index trip_notifications_due is 'the queue of trip notifications asks for all accounts';
-- The retention dashboard lists the newest touches, and what ended when. What was past when it was made is none.
create index trip_notifications_touches on trip_notifications (account_id, send_at)
  where kind in ('welcome_home', 'survey', 'anniversary', 'rebook') and status <> 'cancelled' and created_at <= send_at;
create index trips_ended on trips (account_id, end_date) where end_date is not null;

-- Birthdays of customers who opted in, each year's once.
create table birthday_greetings (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  customer_id      uuid not null,
  celebrated_on    date not null,
  status           text not null check (status in ('sent', 'skipped')),
  skipped_reason   text,
  communication_id uuid,
  sent_at          timestamptz,
  created_at       timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, customer_id, celebrated_on),
  foreign key (account_id, customer_id) references customers
);
create index birthday_greetings_newest on birthday_greetings (account_id, created_at);
call wall('birthday_greetings');

-- Codes that customers hand on. They are public, so they are kept as they are.
create table referral_codes (
  account_id     integer not null references accounts,
  id             uuid not null default uuidv7(),
  token          text not null unique,
  label          text,
  company_id     uuid not null, -- whose leads come of it
  customer_id    uuid,          -- who hands it on
  trip_id        uuid,          -- and of which trip it tells
  assigned_to_id uuid,          -- who looks after the leads; null for the account's owner
  active         boolean not null default true,
  visits         integer not null default 0,
  created_at     timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, trip_id) references trips on delete set null (trip_id),
  foreign key (account_id, assigned_to_id) references seats
);
comment on index referral_codes_token_key is 'finds the account';
create index referral_codes_company on referral_codes (account_id, company_id);
create index referral_codes_customer on referral_codes (account_id, customer_id) where customer_id is not null;
create index referral_codes_trip on referral_codes (account_id, trip_id) where trip_id is not null;
create index referral_codes_assigned on referral_codes (account_id, assigned_to_id) where assigned_to_id is not null;
call wall('referral_codes');

-- Who has opened a code's page on a day, so that it is counted once. Gone after that day.
create table referral_visits (
  account_id       integer not null,
  referral_code_id uuid not null,
  day              date not null,  -- on the account's clock
  visitor          bytea not null, -- of the address and the browser, by a key that the cell alone has
  enquiries        smallint not null default 0,
  primary key (account_id, referral_code_id, day, visitor),
  foreign key (account_id, referral_code_id) references referral_codes on delete cascade
);
create index referral_visits_day on referral_visits (day);
comment on index referral_visits_day is 'those of days gone by are purged for all accounts';
call wall('referral_visits');

alter table leads
  add referral_code_id uuid,
  add foreign key (account_id, referral_code_id) references referral_codes;
create index leads_referral on leads (account_id, referral_code_id, converted_at) where referral_code_id is not null;
