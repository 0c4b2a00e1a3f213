-- As before, but a lead is scored on the account's day, not the server's.
create or replace function follow_lead() returns trigger language plpgsql as $$
begin
  if new.stage <> 'lost' then
    new.lost_reason := null;
    new.lost_notes := null;
  end if;
  if tg_op = 'UPDATE' and old.stage = 'inbox' and new.stage <> 'inbox' then
    new.first_responded_at := coalesce(new.first_responded_at, now());
  end if;
  new.score := lead_score(new, (select (now() at time zone a.time_zone)::date from accounts a where a.account_id = new.account_id));
  return new;
end $$;

-- What was told about a record goes with it.
create index notifications_subject on notifications (account_id, subject_id) where subject_id is not null;
