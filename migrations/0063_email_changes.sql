-- Changes of the address of a seat, which both addresses confirm.

create table email_changes (
  account_id    integer not null,
  seat_id       uuid not null,
  old_email     text not null,
  new_email     text not null,
  old_hash      bytea not null unique, -- SHA-256 of the token that was sent to the address; unique across accounts, since it is what finds the account
  new_hash      bytea not null unique,
  old_confirmed boolean not null default false,
  new_confirmed boolean not null default false,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null default now() + interval '24 hours',
  primary key (account_id, seat_id),
  foreign key (account_id, seat_id) references seats
);
create index email_changes_expired on email_changes (expires_at);
comment on index email_changes_expired is 'the purge of sign-in links asks for all accounts';
comment on index email_changes_old_hash_key is 'finds the account';
comment on index email_changes_new_hash_key is 'finds the account';
comment on table email_changes is 'Addresses that people want to have. The row of a seat is deleted when it is confirmed by both, or withdrawn.';
call wall('email_changes');
