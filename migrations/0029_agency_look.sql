-- How an agency's public pages and mails look: its colour, and its logo as a data URL, so that pages load nothing else.
alter table accounts
  add column accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  add column logo text check (logo ~ '^data:image/(png|jpeg|webp|svg\+xml);base64,' and length(logo) <= 100000);
