-- Second factors of people who sign in, and sign-ins that wait for one. Like passwords, they belong to a seat.

alter table accounts add column second_factor_required boolean not null default false;
comment on column accounts.second_factor_required is 'a session without a second factor may only enrol one';

alter table sessions add column second_factor boolean not null default false;
comment on column sessions.second_factor is 'its person has shown a second factor, or a passkey, which counts as both';

create table seat_totp (
  account_id   integer not null,
  seat_id      uuid not null,
  secret       bytea not null, -- sealed
  confirmed_at timestamptz, -- null until the person has sent a first code
  last_step    bigint, -- the time step of the last code that was used: neither it nor an earlier one is good again
  created_at   timestamptz not null default now(),
  primary key (account_id, seat_id),
  foreign key (account_id, seat_id) references seats
);
comment on table seat_totp is 'Authenticator apps of seats (RFC 6238).';
call wall('seat_totp');

create table recovery_codes (
  account_id integer not null,
  seat_id    uuid not null,
  code_hash  bytea not null, -- SHA-256 of 80 random bits
  created_at timestamptz not null default now(),
  used_at    timestamptz,
  primary key (account_id, seat_id, code_hash),
  foreign key (account_id, seat_id) references seats
);
comment on table recovery_codes is 'Codes that replace a lost second factor, each good once. Only their hashes are stored.';
call wall('recovery_codes');

create table waiting_sign_ins (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  seat_id       uuid not null,
  token_hash    bytea not null unique, -- SHA-256; unique across accounts, since it is what finds the account
  method        text not null check (method in ('link', 'password', 'provider')),
  known_network boolean not null, -- somebody has signed in to the seat from this network before
  attempts      integer not null default 0,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null default now() + interval '5 minutes',
  primary key (account_id, id),
  foreign key (account_id, seat_id) references seats
);
create index waiting_sign_ins_seat on waiting_sign_ins (account_id, seat_id);
create index waiting_sign_ins_expired on waiting_sign_ins (expires_at);
comment on index waiting_sign_ins_expired is 'the purge of sign-ins asks for all accounts';
comment on index waiting_sign_ins_token_hash_key is 'finds the account';
comment on table waiting_sign_ins is 'Sign-ins whose first factor was right, and that wait for the second. A row is deleted when it is used.';
call wall('waiting_sign_ins');

alter table message_sends add column sealed_text bytea;
comment on column message_sends.sealed_text is 'text of a mail to a seat with a link that signs in: {plain, html}, sealed; seat_mail then has the other attributes';
