alter table trips add column version integer not null default 1;
alter table trip_days add column version integer not null default 1;
alter table trip_segments add column version integer not null default 1;
alter table trip_travelers add column version integer not null default 1;
comment on column trips.version is 'counts its changes, so that an editor who read an older one is refused';
comment on column trip_days.version is 'counts its changes besides its place in the trip';
comment on column trip_segments.version is 'counts its changes besides its place in the day';
comment on column trip_travelers.version is 'counts its changes besides its place in the list';

create function count_changes() returns trigger language plpgsql as $$
begin
  if trip_content(to_jsonb(new)) - tg_argv is distinct from trip_content(to_jsonb(old)) - tg_argv then
    new.version := old.version + 1;
  end if;
  return new;
end $$;
comment on function count_changes() is 'Counts the version of a changed row of a trip. Its arguments are columns whose changes do not count.';
create trigger count_version before update on trips for each row execute function count_changes('version', 'search', 'starts');
create trigger count_version before update on trip_days for each row execute function count_changes('version', 'day_number', 'position', 'date');
create trigger count_version before update on trip_segments for each row execute function count_changes('version', 'position', 'derived');
create trigger count_version before update on trip_travelers for each row execute function count_changes('version', 'position');

create table trip_changes (
  account_id integer     not null,
  id         uuid        not null default uuidv7(),
  trip_id    uuid        not null,
  action     text        not null,
  rows       jsonb       not null,
  created_at timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id, trip_id) references trips on delete cascade
);
create index trip_changes_trip on trip_changes (account_id, trip_id);
create index trip_changes_created on trip_changes (created_at);
comment on index trip_changes_created is 'those that are too old to undo are purged for all accounts';
comment on table trip_changes is 'Changes of trips that can still be undone, for some minutes.';
comment on column trip_changes.rows is 'the rows that changed, each with its columns before and after';
call wall('trip_changes');
