alter table accounts add column key_life_days integer check (key_life_days between 1 and 3650);
comment on column accounts.key_life_days is 'how long new API keys are good where nobody says otherwise; null for ever';
