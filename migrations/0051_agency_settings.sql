-- Name, look and contact of an agency, its companies and its branches. People edit all three, so each has a version.

alter table accounts
  add legal_name text,
  add contact_email text,
  add contact_phone text,
  add website text check (website ~ '^https?://'),
  add emergency_phone text,
  add logo_file_id uuid,
  add version integer not null default 1,
  add foreign key (account_id, logo_file_id) references files;
comment on column accounts.legal_name is 'name of the agency in contracts, where it differs from its name';
comment on column accounts.emergency_phone is 'where travellers reach the agency at any hour, E.164';
comment on column accounts.logo_file_id is 'the upload that the logo was made of; null for one of the command line';
comment on column accounts.version is 'counts its changes, so that an editor who read an older one is refused';

alter table companies
  add address jsonb check (jsonb_typeof(address) = 'object'),
  add bank_accounts jsonb not null default '[]' check (jsonb_typeof(bank_accounts) = 'array'),
  add logo_file_id uuid,
  add version integer not null default 1,
  add foreign key (account_id, logo_file_id) references files;
create index companies_logo on companies (account_id, logo_file_id) where logo_file_id is not null;
comment on column companies.address is 'line, district, city, state and zip';
comment on column companies.bank_accounts is 'in the order that documents print them: bank_name, currency, iban or account_number, bic';
comment on column companies.version is 'counts its changes, so that an editor who read an older one is refused';

alter table branches add version integer not null default 1;
comment on column branches.version is 'counts its changes, so that an editor who read an older one is refused';
