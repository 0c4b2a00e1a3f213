-- The reports of finance ask for the documents of a window, and for what was voided, refunded and paid back in it.
create index customer_invoices_issued_on on customer_invoices (account_id, issued_on);
create index supplier_bills_issued_on on supplier_bills (account_id, issued_on);
create index operator_invoices_issued_on on operator_invoices (account_id, issued_on);
create index ticket_document_events_taken_back on ticket_document_events (account_id, created_at)
  where action in ('void', 'refund') and booking_id is not null;
create index customer_payments_back on customer_payments (account_id, paid_on) where amount < 0;
