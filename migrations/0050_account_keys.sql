-- Random keys of the cell and of its accounts. They are stored wrapped by SECRET, so a new SECRET wraps them again and
-- changes nothing that they signed or sealed.

create table cell_keys (
  name       text not null primary key check (name = 'root'),
  wrapped    bytea not null,
  wrapped_by text not null,
  seals_from timestamptz not null
);
comment on table cell_keys is 'The key that all others of the cell are derived from, wrapped by SECRET. In cells older than this table it is the first SECRET.';
comment on column cell_keys.wrapped_by is 'fingerprint of the SECRET that wraps this key and the keys of accounts';
comment on column cell_keys.seals_from is 'identity numbers are sealed from then on. A day after an upgrade, because the previous version cannot open them';
grant select, insert, update on cell_keys to backdesk_system;

create table account_keys (
  account_id integer not null references accounts,
  id         uuid not null default uuidv7(),
  use        text not null check (use in ('signing', 'sealing')),
  wrapped    bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz, -- replaced, because it may be known to others
  primary key (account_id, id)
);
create unique index account_keys_current on account_keys (account_id, use) where retired_at is null;
comment on table account_keys is 'Random keys of an account, wrapped by SECRET. It signs cursors and links with one, and seals identity numbers with the other.';
comment on column account_keys.retired_at is 'replaced, because it may be known to others';
call wall('account_keys');

create table sealing_progress (
  account_id integer not null references accounts,
  source     text not null, -- table whose clear values are sealed
  after      uuid, -- last row that was read
  done_at    timestamptz,
  primary key (account_id, source)
);
comment on table sealing_progress is 'How far identity numbers from before they were sealed have been sealed.';
comment on column sealing_progress.source is 'table whose clear values are sealed';
comment on column sealing_progress.after is 'last row that was read';
call wall('sealing_progress');
