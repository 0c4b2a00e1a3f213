-- Messages with customers, what is sent automatically, and notifications of trips and birthdays.

-- Messages that came in, that went out, and what was noted inside the agency.
create table communications (
  account_id     integer not null references accounts,
  id             uuid not null default uuidv7(),
  company_id     uuid not null,
  customer_id    uuid,
  trip_id        uuid,
  direction      text not null check (direction in ('inbound', 'outbound', 'internal')),
  channel        text not null check (channel in ('email', 'sms', 'whatsapp', 'phone', 'meeting', 'web_chat', 'other')),
  purpose        text not null default 'conversation' check (purpose in ('conversation', 'service', 'marketing')),
  status         text not null check (status in ('queued', 'sending', 'sent', 'delivered', 'read', 'failed', 'received', 'recorded')),
  subject        text,
  body_plain     text,
  body_html      text, -- sanitised before it is stored
  from_address   text,
  reply_to       text,
  to_addresses   text[] not null default '{}',
  cc_addresses   text[] not null default '{}',
  thread_id      uuid not null, -- thread of the message that it answers, else its own id
  in_reply_to    text, -- as the sender named it: an id of this table, or a Message-ID
  external_id    text, -- the provider's id
  metadata       jsonb,
  author_id      uuid,
  sent_at        timestamptz,
  delivered_at   timestamptz,
  read_at        timestamptz,
  failed_at      timestamptz,
  failure_reason text check (failure_reason in ('invalid_recipient', 'unsubscribed', 'no_active_session', 'provider_rejected', 'timeout', 'bounced', 'not_configured')),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  search         text generated always as (fold(coalesce(subject, '') || E'\n' || coalesce(body_plain, ''))) stored, -- what `q` searches
  primary key (account_id, id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, trip_id) references trips,
  foreign key (account_id, author_id) references seats,
  check ((direction = 'inbound') = (status = 'received')),
  check (direction <> 'internal' or status = 'recorded')
);
create index communications_newest on communications (account_id, created_at, id);
create index communications_channel on communications (account_id, channel, created_at, id);
create index communications_direction on communications (account_id, direction, created_at, id);
create index communications_customer on communications (account_id, customer_id, created_at, id) where customer_id is not null;
create index communications_trip on communications (account_id, trip_id, created_at, id) where trip_id is not null;
create index communications_thread on communications (account_id, thread_id, created_at, id);
create index communications_unread on communications (account_id, created_at, id) where direction = 'inbound' and read_at is null;
create index communications_unread_trip on communications (account_id, trip_id) where direction = 'inbound' and read_at is null and trip_id is not null;
create index communications_external on communications (account_id, external_id) where external_id is not null;
create index communications_search on communications using gin (account_id, search gin_trgm_ops);
create index communications_company on communications (account_id, company_id);
create index communications_author on communications (account_id, author_id) where author_id is not null;
call wall('communications');

-- The messages of the account that match a pattern. See customers_like().
grant create on schema public to backdesk_system;
create function communications_like(pattern text) returns setof uuid language sql stable security definer set search_path = public, pg_temp
  as $$ select id from communications where account_id = nullif(current_setting('app.account', true), '')::integer and search like pattern $$;
alter function communications_like owner to backdesk_system;
revoke create on schema public from backdesk_system;
revoke all on function communications_like from public;
grant execute on function communications_like to backdesk_app;

-- Message-IDs that tie messages into threads: a message's own, and those that it answers.
create table message_ids (
  account_id       integer not null,
  message_id       text not null, -- with its angle brackets
  communication_id uuid not null,
  own              boolean not null,
  primary key (account_id, message_id, communication_id),
  foreign key (account_id, communication_id) references communications on delete cascade
);
create index message_ids_communication on message_ids (account_id, communication_id);
call wall('message_ids');

-- Files attached to messages.
create table communication_attachments (
  account_id       integer not null,
  file_id          uuid not null,
  communication_id uuid not null,
  primary key (account_id, file_id), -- a file is attached once
  foreign key (account_id, file_id) references files,
  foreign key (account_id, communication_id) references communications
);
create index communication_attachments_communication on communication_attachments (account_id, communication_id);
call wall('communication_attachments');

-- ## Sending

-- Queue of what is being sent: a message, or a mail to a seat, which is in no inbox. The row is deleted when the outcome is
-- known.
create table message_sends (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  communication_id uuid,
  seat_mail        jsonb, -- {to, subject, plain, html, file}
  transport        text not null check (transport in ('mail', 'messaging')), -- each has its own queue, so that neither delays the other
  attempts         integer not null default 0,
  attempted_at     timestamptz, -- start of the last attempt, written before it is made
  leased_by        uuid, -- stays if an attempt ends with an unknown outcome
  next_attempt_at  timestamptz not null default now(), -- during an attempt, the end of its lease
  created_at       timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, communication_id),
  foreign key (account_id, communication_id) references communications on delete cascade,
  check ((communication_id is null) <> (seat_mail is null))
);
create index message_sends_due on message_sends (account_id, transport, next_attempt_at);
call wall('message_sends');

-- Messages that an account sent on each day of its own clock, counted for its daily limit.
create table message_days (
  account_id integer not null references accounts,
  day        date not null,
  messages   integer not null,
  primary key (account_id, day)
);
call wall('message_days');

-- An account's own texts for automated messages.
create table message_templates (
  account_id integer not null references accounts,
  kind       text not null,
  locale     text not null check (locale in ('en', 'tr')),
  subject    text not null,
  body       text not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, kind, locale)
);
call wall('message_templates');

-- How far each mailbox has been read.
create table mailboxes (
  account_id   integer not null references accounts,
  name         text not null, -- user@host/folder
  uid_validity bigint not null,
  last_uid     bigint not null,
  fetched_at   timestamptz not null default now(),
  primary key (account_id, name)
);
call wall('mailboxes');

-- ## Notifications of trips and birthdays

-- Schedule of a trip's notifications, a queue. Each is sent once. Welcome-home, survey, anniversary and rebook are touches:
-- they are sent after the trip.
create table trip_notifications (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  trip_id          uuid not null,
  kind             text not null constraint trip_notifications_kind_check check (kind in ('payment_due', 'documents_due', 'passport_check', 'online_check_in',
    'pre_departure', 'bon_voyage', 'welcome_home', 'survey', 'anniversary', 'rebook')),
  channel          text not null,
  audience         text not null check (audience in ('traveler', 'advisor')),
  anchor           text not null check (anchor in ('start_date', 'end_date', 'balance_due_on')),
  offset_days      integer not null,
  send_at          timestamptz not null,
  status           text not null default 'scheduled' check (status in ('scheduled', 'sent', 'skipped', 'failed', 'cancelled')),
  skipped_reason   text,
  communication_id uuid,
  sent_at          timestamptz,
  leased_by        uuid,
  next_attempt_at  timestamptz not null, -- send_at, or the end of a lease
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, trip_id, kind, audience),
  foreign key (account_id, trip_id) references trips on delete cascade,
  foreign key (account_id, communication_id) references communications
);
create index trip_notifications_due on trip_notifications (next_attempt_at) where status = 'scheduled';
comment on index trip_notifications_due is 'the queue of trip notifications asks for all accounts';
-- The retention dashboard lists the newest touches. One that was already past when it was scheduled does not count.
create index trip_notifications_touches on trip_notifications (account_id, send_at)
  where kind in ('welcome_home', 'survey', 'anniversary', 'rebook') and status <> 'cancelled' and created_at <= send_at;
create index trip_notifications_communication on trip_notifications (account_id, communication_id) where communication_id is not null;
call wall('trip_notifications');

-- Birthday greetings of customers who opted in, one a year.
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
