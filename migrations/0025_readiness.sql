-- A process asks whether its migrations are applied before it says that it is ready.
grant select on migrations to backdesk_system;
