-- What was uploaded. The row is there before the bytes and goes after them, so no bytes lie anywhere without a row.
create table files (
  account_id   integer not null references accounts,
  id           uuid not null default uuidv7(),
  filename     text not null check (length(filename) between 1 and 255),
  content_type text not null, -- as the bytes say
  byte_size    integer not null check (byte_size > 0),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz default now() + interval '24 hours', -- null once something holds the file
  primary key (account_id, id)
);
create index files_expired on files (expires_at) where expires_at is not null;
call wall('files');

create table note_attachments (
  account_id integer not null,
  file_id    uuid not null,
  note_id    uuid not null,
  primary key (account_id, file_id), -- a file is attached once
  foreign key (account_id, file_id) references files,
  foreign key (account_id, note_id) references customer_notes
);
create index note_attachments_note on note_attachments (account_id, note_id);
call wall('note_attachments');
