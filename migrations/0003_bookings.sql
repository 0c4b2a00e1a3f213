-- ISO 4217 minor units; the runtime's own table is wrong for 16 currencies.
create function currency_digits(currency text) returns integer language sql immutable parallel safe
  return case
    when currency in ('BIF','CLP','DJF','GNF','ISK','JPY','KMF','KRW','PYG','RWF','UGX','UYI','VND','VUV','XAF','XOF','XPF') then 0
    when currency in ('BHD','IQD','JOD','KWD','LYD','OMR','TND') then 3
    when currency in ('CLF','UYW') then 4
    else 2 end;

-- Money as it goes out: a decimal string with the digits of its currency, halves rounded away from zero.
create function money_text(amount numeric, currency text) returns text language sql immutable parallel safe
  return round(amount, currency_digits(currency))::text;

-- What the bookings of all verticals have in common; the vertical's own table has the rest under the same id.
create table bookings (
  account_id       integer not null,
  id               uuid not null default uuidv7(),
  entity           text not null, -- the import entity's key
  company_id       uuid not null,
  branch_id        uuid,
  source_system    text,
  external_id      text,
  status           text not null default 'draft',
  customer_id      uuid,
  supplier_id      uuid,
  assigned_to_id   uuid,
  currency         text not null,
  rate_basis       text check (rate_basis in ('net', 'commissionable')),
  margin_mode      text check (margin_mode in ('percent', 'amount')),
  margin_value     numeric(19, 4),
  option_date      date,
  transaction_date date not null, -- the exchange-rate anchor
  invoice_date     date,
  balance_due_on   date,
  notes            text,
  travelers        jsonb, -- who travels, as the booking names them
  sell_total       numeric(19, 4), -- gross, in the booking's currency; null where a rate is missing
  cost_total       numeric(19, 4),
  margin_total     numeric(19, 4), -- net sell less net cost
  vat_total        numeric(19, 4), -- of the sell side
  invoiced         boolean not null default false,
  version          integer not null default 1,
  changed          bigint not null,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  cancelled_at     timestamptz,
  deleted_at       timestamptz,
  primary key (account_id, id),
  unique (account_id, entity, source_system, external_id),
  foreign key (account_id, company_id) references companies,
  foreign key (account_id, branch_id) references branches,
  foreign key (account_id, customer_id) references customers,
  foreign key (account_id, supplier_id) references suppliers,
  foreign key (account_id, assigned_to_id) references seats
);
create index bookings_changed on bookings (account_id, entity, changed, id);
create index bookings_customer on bookings (account_id, customer_id);
create index bookings_supplier on bookings (account_id, supplier_id);
create index bookings_company on bookings (account_id, company_id);
create index bookings_branch on bookings (account_id, branch_id);
create index bookings_assigned on bookings (account_id, assigned_to_id) where assigned_to_id is not null;
create trigger stamp before insert or update on bookings for each row execute function stamp();
call wall('bookings');

create table booking_lines (
  account_id    integer not null,
  booking_id    uuid not null,
  side          text not null check (side in ('sell', 'cost')),
  position      smallint not null,
  origin        text not null check (origin in ('given', 'room', 'derived')), -- by whom the line was made
  kind          text not null,
  label         text,
  amount        numeric(19, 4) not null, -- of one unit, as given
  quantity      integer not null,
  currency      text not null,
  vat_rate      numeric(7, 4), -- percent
  tax_inclusive boolean not null,
  net           numeric(19, 4) not null,
  vat           numeric(19, 4) not null,
  gross         numeric(19, 4) not null,
  primary key (account_id, booking_id, side, position),
  foreign key (account_id, booking_id) references bookings
);
call wall('booking_lines');

create table hotel_stays (
  account_id   integer not null,
  id           uuid not null,
  check_in_on  date not null,
  check_out_on date not null,
  guest_count  integer,
  rooms        jsonb,
  primary key (account_id, id),
  foreign key (account_id, id) references bookings,
  check (check_out_on > check_in_on)
);
call wall('hotel_stays');
