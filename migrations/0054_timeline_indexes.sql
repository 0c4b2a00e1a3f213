-- In the order of a customer's timeline; each replaces an index of its first columns.
create index customer_notes_of_customer on customer_notes (account_id, customer_id, created_at, id);
drop index customer_notes_customer;
create index tasks_of_record on tasks (account_id, taskable_id, created_at, id) where taskable_id is not null;
drop index tasks_taskable;
create index customer_invoices_of_customer on customer_invoices (account_id, customer_id, created_at, id);
drop index customer_invoices_customer;
