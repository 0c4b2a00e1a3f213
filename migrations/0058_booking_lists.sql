-- The orders of the list of bookings. Each index ends with the id, so that a page begins where the last one ended.
drop index bookings_transaction_date;
create index bookings_transaction_date on bookings (account_id, transaction_date, id);
create index bookings_in_travel_order on bookings (account_id, (coalesce(travels_on, '-infinity'::date)), id);
create index bookings_status on bookings (account_id, status);

create table booking_counters (
  account_id integer not null,
  last       integer not null,
  primary key (account_id),
  foreign key (account_id) references accounts
);
comment on table booking_counters is 'The last number of a booking that somebody created in the application. A row instead of a sequence, so that a rollback leaves no gap.';
call wall('booking_counters');
