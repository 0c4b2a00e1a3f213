-- Who may not see that a sale has a number is not told so by a refusal: a number can be in several sales, until somebody
-- who sees them mends it. The first of them has it for whoever looks it up.
alter table ticket_numbers drop constraint ticket_numbers_pkey;
alter table ticket_numbers add primary key (account_id, number, booking_id);
