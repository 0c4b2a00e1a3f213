-- Triggers note which trips changed, so that no writer can forget it: bookings are filed again, facts of days are requested
-- again, and notifications are scheduled again. docs/adr/0020 has the reasons.

-- Trips whose notifications have to be scheduled again. A transaction of the program empties it of its own trips before it
-- commits. The table is a queue for what others write.
create table trip_reschedulings (
  account_id      integer not null,
  trip_id         uuid not null,
  id              uuid not null default uuidv7(),
  next_attempt_at timestamptz not null default now(), -- while a worker has it, the end of its lease
  leased_by       uuid,
  primary key (account_id, trip_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_reschedulings_due on trip_reschedulings (next_attempt_at);
comment on index trip_reschedulings_due is 'the queue of notification schedules asks for all accounts';
call wall('trip_reschedulings');

-- The job derives the segments of what it files in the same transaction. Whatever else files is by hand.
alter table trip_bookings add column by_hand boolean not null default true;

-- A row of a trip, or of a part of it, without what is no change: when it was written, and where the job found a day to be.
create function trip_content(stored jsonb) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(stored - array['updated_at', 'found_place'] - array(
    select found.key from jsonb_each(nullif(stored -> 'found_place', 'null')) found where found.value = stored -> found.key))
$$;

-- Has the bookings of these trips and of their customers looked at again.
create function refile_bookings(account integer, trips uuid[]) returns void language sql as $$
  insert into trip_refilings (account_id, trip_id) select t.account_id, t.id from trips t
  where t.account_id = account and t.id = any(trips) and not exists (select from trip_refilings r
    where r.account_id = t.account_id and r.trip_id = t.id and r.xmin = pg_current_xact_id()::xid) -- noted by this transaction
$$;

-- Requests every fact of the days of these trips again. Who asks a provider at the moment loses the lease, since the answer
-- may be to a former question. Ordered, so that two requests for the same days wait for each other and for nothing else.
create function request_day_facts(account integer, trips uuid[]) returns void language sql as $$
  insert into trip_day_facts as f (account_id, trip_day_id, kind)
  select d.account_id, d.id, kind from trip_days d cross join unnest(array['weather', 'currency', 'general']) kind
  where d.account_id = account and d.trip_id = any(trips)
  order by d.id, kind
  on conflict (account_id, trip_day_id, kind) do update set next_attempt_at = now(), failures = 0
    where f.next_attempt_at > now()
$$;

-- Has the notifications of these trips scheduled again.
create function request_schedules(account integer, trips uuid[]) returns void language sql as $$
  insert into trip_reschedulings (account_id, trip_id) select t.account_id, t.id from trips t
  where t.account_id = account and t.id = any(trips) and not exists (select from trip_reschedulings r
    where r.account_id = t.account_id and r.trip_id = t.id and r.xmin = pg_current_xact_id()::xid) -- noted by this transaction
$$;

-- Trigger on trips and their parts. Its arguments are what follows from a change: filing, facts, schedule. Rows that are the
-- same before and after are no change; a part that moves changes both its trips.
create function note_changed_trips() returns trigger language plpgsql as $$
declare
  noted record;
  contents jsonb[];
begin
  if tg_op = 'UPDATE' then
    contents := array(
      (select trip_content(to_jsonb(f)) from former f except select trip_content(to_jsonb(c)) from changed c)
      union all
      (select trip_content(to_jsonb(c)) from changed c except select trip_content(to_jsonb(f)) from former f));
  else
    contents := array(select to_jsonb(c) from changed c);
  end if;
  for noted in
    select (content ->> 'account_id')::integer as account,
      array_agg(distinct coalesce(content ->> 'trip_id', content ->> 'id')::uuid) as trips,
      array_agg(distinct coalesce(content ->> 'trip_id', content ->> 'id')::uuid)
        filter (where tg_op <> 'INSERT' or content -> 'by_hand' is distinct from 'false') as by_hand
    from unnest(contents) content
    where tg_table_name = 'trips' or content ->> 'trip_id' is not null group by 1
  loop
    if 'filing' = any(tg_argv) then perform refile_bookings(noted.account, noted.by_hand); end if;
    if 'facts' = any(tg_argv) then perform request_day_facts(noted.account, noted.trips); end if;
    if 'schedule' = any(tg_argv) then perform request_schedules(noted.account, noted.trips); end if;
  end loop;
  return null;
end $$;

-- Makes the triggers that note changes of a table, with what follows from them.
create procedure note_changes(noted regclass, variadic follows text[]) language plpgsql as $$
declare
  arguments text := (select string_agg(quote_literal(one), ', ') from unnest(follows) one);
begin
  execute format('create trigger note_inserted after insert on %s referencing new table as changed
    for each statement when (not comes_as_it_is()) execute function note_changed_trips(%s)', noted, arguments);
  execute format('create trigger note_updated after update on %s referencing old table as former new table as changed
    for each statement execute function note_changed_trips(%s)', noted, arguments);
  execute format('create trigger note_deleted after delete on %s referencing old table as changed
    for each statement execute function note_changed_trips(%s)', noted, arguments);
end $$;

call note_changes('trips', 'filing', 'facts', 'schedule');
call note_changes('trip_days', 'facts');
call note_changes('trip_segments', 'facts', 'schedule');
call note_changes('trip_customers', 'filing');
call note_changes('trip_bookings', 'filing', 'schedule');

comment on table trip_reschedulings is 'Trips whose notifications have to be scheduled again. A transaction of the program empties it of its own trips before it commits. The table is a queue for what others write.';
comment on column trip_reschedulings.next_attempt_at is 'while a worker has it, the end of its lease';
comment on column trip_bookings.by_hand is 'false: the job filed it, and derives its segments in the same transaction';
comment on routine trip_content is 'A row of a trip, or of a part of it, without what is no change: when it was written, and where the job found a day to be.';
comment on routine refile_bookings is 'Has the bookings of these trips and of their customers looked at again.';
comment on routine request_day_facts is 'Requests every fact of the days of these trips again. A worker that asks a provider at the moment loses the lease, since the answer may be to a former question.';
comment on routine request_schedules is 'Has the notifications of these trips scheduled again.';
comment on routine note_changed_trips is 'Trigger on trips and their parts. Its arguments are what follows from a change: filing, facts, schedule. Rows that are the same before and after are no change; a part that moves changes both its trips.';
comment on routine note_changes is 'Makes the triggers that note changes of a table, with what follows from them.';
