-- People who sign in to the console. Credentials belong to a seat: what a person proves to one account tells another nothing.

-- Who signs in says an e-mail address and no account.
create index seats_email on seats (email_key);
comment on index seats_email is 'finds the accounts of an e-mail address';

create table sessions (
  account_id   integer not null,
  id           uuid not null default uuidv7(),
  seat_id      uuid not null,
  token_hash   bytea not null unique, -- SHA-256; unique across accounts, since it is what finds the account
  method       text not null check (method in ('link', 'password', 'passkey', 'provider')),
  user_agent   text, -- of the browser that signed in
  began_ip     text not null,
  last_used_ip text not null,
  last_used_at timestamptz not null default now(),
  proven_at    timestamptz not null default now(), -- when the person last proved who they are
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null default now() + interval '14 days',
  ended_at     timestamptz, -- signed out, or revoked
  primary key (account_id, id),
  foreign key (account_id, seat_id) references seats
);
create index sessions_seat on sessions (account_id, seat_id, created_at desc, id desc);
create index sessions_expired on sessions (expires_at);
comment on index sessions_expired is 'the purge of sessions asks for all accounts';
comment on index sessions_token_hash_key is 'finds the account';
comment on table sessions is 'Sessions of browsers. The token is not stored, only its hash.';
call wall('sessions');

create table seat_passwords (
  account_id integer not null,
  seat_id    uuid not null,
  hash       text not null, -- argon2id with its parameters and salt, in the PHC string format
  changed_at timestamptz not null default now(),
  primary key (account_id, seat_id),
  foreign key (account_id, seat_id) references seats
);
comment on table seat_passwords is 'Passwords of seats.';
call wall('seat_passwords');

create table sign_in_links (
  account_id integer not null,
  id         uuid not null default uuidv7(),
  seat_id    uuid not null,
  purpose    text not null check (purpose in ('sign_in', 'invitation', 'reset')),
  token_hash bytea not null unique, -- SHA-256; unique across accounts, since it is what finds the account
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz, -- or withdrawn
  primary key (account_id, id),
  foreign key (account_id, seat_id) references seats
);
create index sign_in_links_seat on sign_in_links (account_id, seat_id) where used_at is null;
create index sign_in_links_expired on sign_in_links (expires_at);
comment on index sign_in_links_expired is 'the purge of sign-in links asks for all accounts';
comment on index sign_in_links_token_hash_key is 'finds the account';
comment on table sign_in_links is 'Links that are sent to the person of a seat, each good once. The token is not stored, only its hash.';
call wall('sign_in_links');

create unlogged table sign_in_attempts (
  subject        bytea primary key,
  failures       integer not null,
  last_failed_at timestamptz not null
);
create index sign_in_attempts_age on sign_in_attempts (last_failed_at);
grant select, insert, update, delete on sign_in_attempts to backdesk_system;
comment on table sign_in_attempts is 'Failed attempts to sign in. They belong to no account: an unknown address counts like a known one. What is counted (an address with a network, a network, an address) is named by a keyed hash. Not logged: after a crash the counts begin anew.';
