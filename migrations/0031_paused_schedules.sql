-- A schedule belongs to the seat that saved the report, and to the API key that it was saved by. Where either may not see
-- any more what the report shows, the schedule pauses until somebody who may resumes it.
alter table saved_reports
  add column saved_by_key_id uuid, -- none where it was saved from the command line
  add column needs text[] not null default '{view_reports}', -- policies that its saver had and that its content uses
  add column schedule_paused boolean not null default false,
  add column paused_at timestamptz,
  add column paused_reason text,
  add foreign key (account_id, saved_by_key_id) references api_keys,
  drop constraint saved_reports_check1,
  add check ((due_at is null) = (next_attempt_at is null)),
  add check (case when schedule_frequency is null then due_at is null else due_at is not null or schedule_paused end);
create index saved_reports_saved_by_key on saved_reports (account_id, saved_by_key_id) where saved_by_key_id is not null;

-- Reports that a key saved (saved_as says its role) belong to the one that it can have been. Where it can have been several,
-- nobody knows whether that key is still good, and the schedule pauses when it comes due.
set local role backdesk_system; -- behind the wall the owner of the tables sees no rows
update saved_reports r set saved_by_key_id = known.id
from (
  select r.account_id, r.id as report, min(k.id::text)::uuid as id
  from saved_reports r join api_keys k on k.account_id = r.account_id and coalesce(k.role, 'owner') = r.saved_as
    and 'full' = any(k.scopes) and k.created_at <= r.updated_at
    and coalesce(k.revoked_at, 'infinity') >= r.updated_at and coalesce(k.expires_at, 'infinity') >= r.updated_at
  group by r.account_id, r.id having count(*) = 1
) known
where r.account_id = known.account_id and r.id = known.report;
reset role;
