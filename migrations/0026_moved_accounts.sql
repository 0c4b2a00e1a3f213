-- Accounts that go to another cell, or have gone. From the row on no key of theirs is known and no queue takes anything of
-- theirs; once it is closed, no transaction of theirs begins. What they have stays here, until the operator knows that it
-- arrived. Asked by every transaction, before it has an account, so the table is the system's.
create table moved_accounts (
  number   integer primary key references accounts,
  begun_at timestamptz not null default now(),
  closed   boolean not null default false
);
grant select on moved_accounts to backdesk_app;
grant select, insert, update, delete on moved_accounts to backdesk_system;

create function refuse_moved() returns text language plpgsql as $$
begin
  raise exception 'The account has moved to another cell' using errcode = 'BD001';
end $$;

-- What signed its cursors and addresses in the cells that it comes from, sealed.
alter table accounts add former_secrets bytea[] not null default '{}';

-- Rows that come from another cell are as they are: no trigger counts, stamps or settles them anew.
create function comes_as_it_is() returns boolean language sql stable as $$
  select coalesce(current_setting('app.as_it_is', true), '') = 'on'
$$;
do $$
declare
  found record;
begin
  for found in
    select tgname, tgrelid::regclass as walled, regexp_replace(pg_get_triggerdef(oid), '( FOR EACH (ROW|STATEMENT))', '\1 WHEN (NOT comes_as_it_is())') as definition
    from pg_trigger where not tgisinternal and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and tgtype & 4 = 4 -- on insert
  loop
    execute format('drop trigger %I on %s', found.tgname, found.walled);
    execute found.definition;
  end loop;
end $$;
