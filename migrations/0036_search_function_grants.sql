-- The baseline revoked these functions from everybody after it had given them to backdesk_system, as a role that may not
-- revoke for their owner, so nothing was revoked: any login of the server could ask which records of an account match.
set local role backdesk_system;
revoke all on function customers_like, trips_like, communications_like from public;
grant execute on function customers_like, trips_like, communications_like to backdesk_app;
reset role;
