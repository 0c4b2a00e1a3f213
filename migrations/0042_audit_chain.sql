-- The audit log can be appended to and not changed, and its rows are chained, so that a change past the program is found.

revoke update, delete on audit_log from backdesk_app, backdesk_system;
create index audit_log_subject on audit_log (account_id, subject_id, id);

create table audit_chains (
  account_id   integer primary key references accounts,
  last_seq     bigint not null default 0,
  head         bytea not null default '', -- mac of the last link; empty before the first
  leased_by    uuid,
  leased_until timestamptz
);
comment on table audit_chains is 'The chain of each account''s audit log: its head, and the lease of the worker that appends to it.';
comment on column audit_chains.head is 'mac of the last link; empty before the first';
call wall('audit_chains');

create table audit_links (
  account_id integer not null references accounts,
  seq        bigint not null,
  entry_id   uuid not null, -- of audit_log
  mac        bytea not null, -- keyed hash of the entry, of its number, and of the mac before
  primary key (account_id, seq),
  unique (account_id, entry_id)
);
comment on table audit_links is 'The entries of the audit log in the order in which they were chained. Without a foreign key: it would refuse what the chain is there to find.';
comment on column audit_links.entry_id is 'of audit_log';
comment on column audit_links.mac is 'keyed hash of the entry, of its number, and of the mac before';
call wall('audit_links');
revoke update, delete on audit_links from backdesk_app, backdesk_system;

create table audit_pending (
  account_id integer not null,
  entry_id   uuid not null,
  queued_at  timestamptz not null default now(),
  primary key (account_id, entry_id)
);
comment on table audit_pending is 'Entries of the audit log that are not chained yet. Writers only add rows, so they never wait for each other or for the worker.';
call wall('audit_pending');

create table audit_checkpoints (
  account_id integer not null references accounts,
  seq        bigint not null, -- of the last link that was dropped
  mac        bytea not null, -- of this link
  signature  bytea not null, -- keyed hash of the two
  created_at timestamptz not null default now(),
  primary key (account_id, seq)
);
comment on table audit_checkpoints is 'Where a chain begins after its oldest entries were dropped.';
comment on column audit_checkpoints.seq is 'of the last link that was dropped';
comment on column audit_checkpoints.mac is 'of this link';
comment on column audit_checkpoints.signature is 'keyed hash of the two';
call wall('audit_checkpoints');
revoke update, delete on audit_checkpoints from backdesk_app, backdesk_system;

create function queue_audit_entries() returns trigger language plpgsql as $$
begin
  insert into audit_pending (account_id, entry_id) select account_id, id from added;
  return null;
end $$;
comment on function queue_audit_entries is 'Queues new entries of the audit log for the chain.';
create trigger queue_entries after insert on audit_log referencing new table as added
  for each statement when (not comes_as_it_is()) execute function queue_audit_entries();

create function begin_audit_chain() returns trigger language plpgsql as $$
begin
  insert into audit_chains (account_id) values (new.account_id);
  return null;
end $$;
comment on function begin_audit_chain is 'Makes the chain of a new account.';
create trigger begin_chain after insert on accounts for each row when (not comes_as_it_is()) execute function begin_audit_chain();

-- The only way to delete entries: whole months from the beginning of the chain, at least a year old. The owner of the tables
-- passes the wall for as long as this function runs.
create policy retention on audit_log to current_user using (current_setting('app.audit_retention', true) = 'on');
create policy retention on audit_links to current_user using (current_setting('app.audit_retention', true) = 'on');
create policy retention on audit_checkpoints to current_user using (current_setting('app.audit_retention', true) = 'on');
create function drop_audit_entries(account integer, through bigint, head bytea, signed bytea) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  dropped bigint;
begin
  perform set_config('app.audit_retention', 'on', true);
  if not exists (select from audit_links l where l.account_id = account and l.seq = through and l.mac = head) then
    raise exception 'The checkpoint names no link of the chain';
  end if;
  if exists (select from audit_links l join audit_log e on e.account_id = l.account_id and e.id = l.entry_id
      where l.account_id = account and l.seq <= through and e.created_at > now() - interval '1 year') then
    raise exception 'Entries of the audit log are kept for a year';
  end if;
  insert into audit_checkpoints (account_id, seq, mac, signature) values (account, through, head, signed);
  delete from audit_log e using audit_links l
    where l.account_id = account and l.seq <= through and e.account_id = account and e.id = l.entry_id;
  get diagnostics dropped = row_count;
  delete from audit_links l where l.account_id = account and l.seq <= through;
  perform set_config('app.audit_retention', '', true);
  return dropped;
end $$;
comment on function drop_audit_entries is 'Deletes the first entries of an account''s audit log and leaves a signed checkpoint. No role of the program may delete them otherwise.';
revoke all on function drop_audit_entries from public;
grant execute on function drop_audit_entries to backdesk_system;

-- What was logged before is the beginning of the chain.
set local role backdesk_system;
insert into audit_chains (account_id) select account_id from accounts;
insert into audit_pending (account_id, entry_id) select account_id, id from audit_log;
reset role;
