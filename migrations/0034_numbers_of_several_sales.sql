-- Refusing a ticket number because another sale has it would reveal that sale to a role that cannot see it. So several
-- sales may have the same number until a user who sees them corrects it; a lookup by number returns the first of them.
alter table ticket_numbers drop constraint ticket_numbers_pkey;
alter table ticket_numbers add primary key (account_id, number, booking_id);
