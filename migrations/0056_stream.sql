-- What open consoles are told of: an account's events in one order, each with a number. Writers add rows to stream_pending
-- and wait for nobody; a worker numbers them after the commit, so a lower number never becomes visible after a higher one.

create table stream_heads (
  account_id   integer primary key references accounts,
  last_seq     bigint not null default 0,
  leased_by    uuid,
  leased_until timestamptz
);
comment on table stream_heads is 'The number of each account''s last stream event, and the lease of the worker that numbers them.';
call wall('stream_heads');

create table stream_pending (
  account_id integer not null,
  id         uuid not null default uuidv7(),
  kind       text,    -- of the records; null for a change number, whose records are of several kinds
  ids        uuid[],
  seat_id    uuid,    -- the only seat that is told; null for all
  changed    bigint,  -- change number of published records
  noted_at   timestamptz not null default now(),
  primary key (account_id, id),
  check ((kind is null) = (changed is not null) and (kind is null) = (ids is null))
);
comment on table stream_pending is 'Changes that have no number yet: one row for the published records of a transaction, or for the records of a statement. Without foreign keys, for speed.';
comment on column stream_pending.kind is 'of the records; null for a change number, whose records are of several kinds';
comment on column stream_pending.seat_id is 'the only seat that is told; null for all';
comment on column stream_pending.changed is 'change number of published records';
call wall('stream_pending');

create table stream_events (
  account_id integer not null,
  seq        bigint not null,
  kind       text not null,
  record_id  uuid,    -- null if many records of the kind changed at once
  version    integer, -- null where the record has none
  seat_id    uuid,    -- the only seat that is told; null for all
  made_at    timestamptz not null default now(),
  primary key (account_id, seq)
);
comment on table stream_events is 'Events of open consoles, for a day, so that a lost connection resumes.';
comment on column stream_events.record_id is 'null if many records of the kind changed at once';
comment on column stream_events.version is 'null where the record has none';
comment on column stream_events.seat_id is 'the only seat that is told; null for all';
create index stream_events_age on stream_events using brin (made_at);
comment on index stream_events_age is 'the purge asks for all accounts';
call wall('stream_events');

create or replace function change_number(account integer) returns bigint language plpgsql as $$
declare
  known text := current_setting('app.change', true);
  taken bigint;
begin
  if known is not null and split_part(known, ':', 1) = account::text then return split_part(known, ':', 2)::bigint; end if;
  insert into change_counters as c (account_id, last) values (account, 1)
    on conflict (account_id) do update set last = c.last + 1 returning last into taken;
  insert into stream_pending (account_id, changed) values (account, taken);
  perform set_config('app.change', account || ':' || taken, true);
  return taken;
end $$;

create function note_stream_rows() returns trigger language plpgsql as $$
begin
  insert into stream_pending (account_id, kind, ids) select account_id, tg_argv[0], array_agg(id) from changed group by account_id;
  return null;
end $$;
comment on function note_stream_rows is 'Notes the rows that a statement wrote for open consoles. Its argument is the kind of the records.';

create function note_stream_row() returns trigger language plpgsql as $$
begin
  insert into stream_pending (account_id, kind, ids) values (new.account_id, tg_argv[0], array[new.id]);
  return null;
end $$;
comment on function note_stream_row is 'The same for a row of which only some changes count.';

create function note_stream_notifications() returns trigger language plpgsql as $$
begin
  insert into stream_pending (account_id, kind, ids, seat_id)
  select account_id, 'notifications', array_agg(id), seat_id from changed group by account_id, seat_id;
  return null;
end $$;
comment on function note_stream_notifications is 'The same for notifications, which their seat alone is told of.';

create procedure stream_rows(noted regclass, kind text) language plpgsql as $$
begin
  execute format('create trigger stream_inserted after insert on %s referencing new table as changed
    for each statement when (not comes_as_it_is()) execute function note_stream_rows(%L)', noted, kind);
  execute format('create trigger stream_updated after update on %s referencing new table as changed
    for each statement execute function note_stream_rows(%L)', noted, kind);
  execute format('create trigger stream_deleted after delete on %s referencing old table as changed
    for each statement execute function note_stream_rows(%L)', noted, kind);
end $$;
comment on procedure stream_rows is 'Makes the triggers that note rows of a table for open consoles.';
call stream_rows('trips', 'trips');
call stream_rows('tasks', 'tasks');
call stream_rows('communications', 'communications');

create trigger stream_inserted after insert on notifications referencing new table as changed
  for each statement when (not comes_as_it_is()) execute function note_stream_notifications();
create trigger stream_updated after update on notifications referencing new table as changed
  for each statement execute function note_stream_notifications();

create trigger stream_inserted after insert on import_batches
  for each row when (not comes_as_it_is()) execute function note_stream_row('imports');
create trigger stream_updated after update on import_batches
  for each row when (old.processed <> new.processed or old.status <> new.status) execute function note_stream_row('imports');
create trigger stream_inserted after insert on ticket_captures
  for each row when (not comes_as_it_is()) execute function note_stream_row('ticket_imports');
create trigger stream_updated after update on ticket_captures
  for each row when (old.status <> new.status) execute function note_stream_row('ticket_imports');
create trigger stream_updated after update on webhook_deliveries
  for each row when (old.status <> new.status and new.status <> 'pending') execute function note_stream_row('deliveries');
