-- Passkeys of seats (WebAuthn), and the challenges that browsers answer with them.

create table passkeys (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  seat_id       uuid not null,
  name          text not null,
  credential_id bytea not null unique, -- chosen by the authenticator; unique across accounts, since it is what finds the account
  public_key    bytea not null, -- COSE
  counter       bigint not null, -- of signatures; 0 where the authenticator does not count
  transports    text[] not null,
  version       integer not null default 1,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  primary key (account_id, id),
  foreign key (account_id, seat_id) references seats
);
create index passkeys_seat on passkeys (account_id, seat_id, created_at, id);
comment on index passkeys_credential_id_key is 'finds the account';
comment on table passkeys is 'Passkeys of seats.';
call wall('passkeys');

create table passkey_challenges (
  account_id integer not null,
  bound_to   uuid not null, -- the session that asked, or the sign-in that waits
  purpose    text not null check (purpose in ('registration', 'proof', 'second_factor')),
  challenge  bytea not null,
  expires_at timestamptz not null default now() + interval '5 minutes',
  primary key (account_id, bound_to, purpose),
  foreign key (account_id) references accounts
);
create index passkey_challenges_expired on passkey_challenges (expires_at);
comment on index passkey_challenges_expired is 'the purge of challenges asks for all accounts';
comment on table passkey_challenges is 'Challenges for passkeys of a known seat. A row is deleted when it is answered.';
call wall('passkey_challenges');

create unlogged table sign_in_challenges (
  token_hash bytea primary key,
  challenge  bytea not null,
  expires_at timestamptz not null default now() + interval '5 minutes'
);
create index sign_in_challenges_expired on sign_in_challenges (expires_at);
grant select, insert, update, delete on sign_in_challenges to backdesk_system;
comment on table sign_in_challenges is 'Challenges for passkeys with which people sign in. They belong to no account: the passkey that answers names it. A row is deleted when it is answered. Not logged: after a crash people begin anew.';
