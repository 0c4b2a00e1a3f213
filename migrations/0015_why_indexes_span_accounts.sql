-- An index that does not begin with the account says why, and a test looks for it.
comment on index accounts_uuid_key is 'finds the account';
comment on index api_keys_token_hash_key is 'finds the account';
comment on index files_expired is 'the sweep of expired files asks for all accounts';
comment on index idempotency_keys_age is 'the purge of idempotency keys asks for all accounts';
comment on index import_batches_purge is 'the purge of import payloads asks for all accounts';
comment on index task_reminders_due is 'the queue of reminders asks for all accounts';
