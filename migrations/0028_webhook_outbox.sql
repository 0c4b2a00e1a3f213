-- The events of a change that no subscription has been given yet: a row for some hundred events of one kind and entity. A
-- worker writes what is sent, and to whom, after the commit. The next change of the account waits for that.
create table webhook_outbox (
  account_id      integer not null references accounts,
  changed         bigint not null, -- the change number of the transaction
  entity          text not null,
  event           text not null check (event in ('record.created', 'record.updated', 'record.deleted')),
  part            integer not null,
  event_ids       uuid[] not null,
  record_ids      uuid[] not null, -- each beside its event
  former_digests  text[],          -- of record.updated: how each record looked before
  occurred_at     timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(), -- while a worker has it, the end of its lease
  primary key (account_id, changed, entity, event, part)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
-- Ids compress badly, and not compressing them is faster.
alter table webhook_outbox alter column event_ids set storage external, alter column record_ids set storage external;
create index webhook_outbox_due on webhook_outbox (next_attempt_at);
comment on index webhook_outbox_due is 'the fan-out of webhook events claims any account';
call wall('webhook_outbox');

-- Checking these for each delivery took as long as writing it. Subscriptions are never deleted, and whoever adds deliveries
-- locks the event (or inserts it). The trigger deletes deliveries with their event, also for the purge of a former version.
alter table webhook_deliveries drop constraint webhook_deliveries_account_id_webhook_id_fkey,
  drop constraint webhook_deliveries_account_id_event_id_role_fkey;
create function delete_deliveries() returns trigger language plpgsql as $$
begin
  delete from webhook_deliveries d using gone where d.account_id = gone.account_id and d.event_id = gone.id;
  return null;
end $$;
create trigger deliveries_deleted after delete on webhook_events referencing old table as gone
  for each statement execute function delete_deliveries();
