-- How long an account keeps what has no end of its own.
create table retention_rules (
  account_id           integer not null references accounts primary key,
  messages_days        integer check (messages_days > 0),
  ticket_captures_days integer check (ticket_captures_days > 0),
  request_log_days     integer check (request_log_days > 0),
  leads_days           integer check (leads_days > 0),
  version              integer not null default 1,
  swept_on             date
);
comment on table retention_rules is 'After how many days, of its own clock, an account removes something; null keeps it. No row: everything is kept.';
comment on column retention_rules.version is 'counts its changes, so that an editor who read an older one is refused';
comment on column retention_rules.swept_on is 'the last day, of the account''s clock, on which everything due was removed';
call wall('retention_rules');

-- A message that retention removes leaves the notification that it was of.
alter table trip_notifications
  drop constraint trip_notifications_account_id_communication_id_fkey,
  add foreign key (account_id, communication_id) references communications on delete set null (communication_id);

create index ticket_captures_kept on ticket_captures (account_id, created_at, id) where content is not null or document is not null;
