-- A schedule belongs to the seat that saved the report, and to the API key that it was saved by. If either loses a policy
-- that the report needs, the schedule pauses until somebody who has it resumes it.
alter table saved_reports
  add column saved_by_key_id uuid, -- none if it was saved from the command line
  add column needs text[] not null default '{view_reports}', -- policies that its saver had and that its content uses
  add column owned_at timestamptz, -- the updated_at that saved_by_key_id and needs are of
  add column schedule_paused boolean not null default false,
  add column paused_at timestamptz,
  add column paused_reason text,
  add foreign key (account_id, saved_by_key_id) references api_keys,
  drop constraint saved_reports_check1,
  add check ((due_at is null) = (next_attempt_at is null)),
  add check ((due_at is not null) = (schedule_frequency is not null and not schedule_paused));
create index saved_reports_saved_by_key on saved_reports (account_id, saved_by_key_id) where saved_by_key_id is not null;

-- The only key of a role that can have saved a report at a time; null if several can.
create function only_key(account integer, as_role text, at timestamptz) returns uuid language sql stable as $$
  select min(id::text)::uuid from api_keys
  where account_id = account and coalesce(role, 'owner') = as_role and 'full' = any(scopes) and created_at <= at
    and coalesce(revoked_at, 'infinity') >= at and coalesce(expires_at, 'infinity') >= at
  having count(*) = 1
$$;

-- Reports that a key saved (saved_as is its role) are assigned to the only key that can have saved them. If several can, no
-- key can be checked, and the schedule pauses.
set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
update saved_reports set saved_by_key_id = only_key(account_id, saved_as, updated_at), owned_at = updated_at;
reset role;

-- A process of the former version, which knows neither owners nor pauses, saves reports as well during an upgrade and after
-- a downgrade. A paused schedule stays paused then, and the report is assigned to a key as above.
create function keep_schedule_owned() returns trigger language plpgsql as $$
begin
  if new.schedule_paused then
    new.due_at := null;
    new.next_attempt_at := null;
  end if;
  if new.owned_at is distinct from new.updated_at then
    new.saved_by_key_id := only_key(new.account_id, new.saved_as, new.updated_at);
    new.needs := '{view_reports}';
    new.owned_at := new.updated_at;
  end if;
  return new;
end $$;
create trigger keep_schedule_owned before insert or update on saved_reports for each row
  when (not comes_as_it_is()) execute function keep_schedule_owned();
