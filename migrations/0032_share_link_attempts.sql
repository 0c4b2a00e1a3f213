-- Passwords of share links that were tried, by who tried them: one visitor's wrong ones make nobody else wait. The row of
-- the empty visitor counts those of all. The columns failed_attempts and blocked_until of share_links are of no use any
-- more; the version before still writes them.
create table share_link_attempts (
  account_id    integer not null,
  share_link_id uuid not null,
  visitor       bytea not null, -- a hash with the cell's secret of the network that it comes from
  failed        integer not null,
  since         timestamptz not null, -- counted for a day, then anew
  blocked_until timestamptz,
  primary key (account_id, share_link_id, visitor),
  foreign key (account_id, share_link_id) references share_links on delete cascade
);
create index share_link_attempts_since on share_link_attempts (since);
comment on index share_link_attempts_since is 'the purge asks for all accounts';
call wall('share_link_attempts');
