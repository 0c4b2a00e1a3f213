alter table tickets
  add column booking_office text,
  add column ticketing_office text,
  add column iata_number text,
  add column booking_agent text,
  add column ticketing_agent text,
  add column ticketing_deadline date,
  add column remarks text;
comment on column tickets.booking_office is 'office of the GDS that booked';
comment on column tickets.ticketing_office is 'office of the GDS that issued the documents';
comment on column tickets.iata_number is 'of the ticketing office';
comment on column tickets.booking_agent is 'sign of the GDS agent who booked';
comment on column tickets.ticketing_agent is 'sign of the GDS agent who issued the documents';
comment on column tickets.ticketing_deadline is 'as printed; unlike option_date it makes no option';
comment on column tickets.remarks is 'of the reservation, one per line; they may quote prices, costs and persons';
