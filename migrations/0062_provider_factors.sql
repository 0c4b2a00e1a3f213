-- Whether signing in by a provider is also the second factor, as each account decides for each of its providers.

alter table sign_in_providers add column counts_as_second_factor boolean not null default true;
comment on column sign_in_providers.counts_as_second_factor is 'the account relies on the provider to ask for one';

alter table sessions add column owes_factor boolean not null default false;
comment on column sessions.owes_factor is 'began by a provider that does not count as a second factor, while the seat has one, which it has to show';
