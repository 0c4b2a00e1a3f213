-- Signing in through OpenID Connect, by issuers that an account configures itself.

create table sign_in_providers (
  account_id    integer not null,
  id            uuid not null default uuidv7(),
  name          text not null, -- on the button
  issuer        text not null, -- never changed: the identities of people are of it
  client_id     text not null,
  client_secret bytea not null, -- sealed
  active        boolean not null default true,
  version       integer not null default 1,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  primary key (account_id, id),
  foreign key (account_id) references accounts
);
create index sign_in_providers_list on sign_in_providers (account_id, created_at, id);
create unique index sign_in_providers_id on sign_in_providers (id);
comment on index sign_in_providers_id is 'the address to which a provider sends browsers back names no account';
comment on table sign_in_providers is 'Issuers by which the people of an account sign in.';
call wall('sign_in_providers');

create table seat_identities (
  account_id  integer not null,
  id          uuid not null default uuidv7(),
  seat_id     uuid not null,
  provider_id uuid not null,
  subject     text not null, -- the issuer's name of the person, which is never given to another one; an e-mail address is
  created_at  timestamptz not null default now(),
  primary key (account_id, id),
  unique (account_id, provider_id, subject),
  unique (account_id, seat_id, provider_id),
  foreign key (account_id, seat_id) references seats,
  foreign key (account_id, provider_id) references sign_in_providers on delete cascade
);
comment on table seat_identities is 'Who a seat is to a provider.';
call wall('seat_identities');

create table pending_sign_ins (
  account_id   integer not null,
  id           uuid not null default uuidv7(),
  provider_id  uuid not null,
  state_hash   bytea not null unique, -- SHA-256; unique across accounts, since it is what finds the account
  browser_hash bytea not null, -- SHA-256 of the cookie of the browser that began
  purpose      text not null check (purpose in ('sign_in', 'invitation', 'link', 'proof')),
  link_id      uuid, -- the invitation that is accepted by it
  session_id   uuid, -- the session that asked
  return_to    text not null, -- a path of the console
  expires_at   timestamptz not null default now() + interval '10 minutes',
  primary key (account_id, id),
  foreign key (account_id, provider_id) references sign_in_providers on delete cascade,
  foreign key (account_id, link_id) references sign_in_links on delete cascade,
  foreign key (account_id, session_id) references sessions on delete cascade,
  check ((purpose = 'invitation') = (link_id is not null)),
  check ((purpose in ('link', 'proof')) = (session_id is not null))
);
create index pending_sign_ins_provider on pending_sign_ins (account_id, provider_id);
create index pending_sign_ins_link on pending_sign_ins (account_id, link_id) where link_id is not null;
create index pending_sign_ins_session on pending_sign_ins (account_id, session_id) where session_id is not null;
create index pending_sign_ins_expired on pending_sign_ins (expires_at);
comment on index pending_sign_ins_expired is 'the purge of sign-ins that were not finished asks for all accounts';
comment on index pending_sign_ins_state_hash_key is 'finds the account';
comment on table pending_sign_ins is 'Browsers that were sent to a provider and are not back yet, each good once.';
call wall('pending_sign_ins');
