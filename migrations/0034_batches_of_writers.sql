-- A batch runs with the policies of whoever sent it. Those that wait were sent before it kept them, by roles that could
-- change whatever an import can.
set local role backdesk_system; -- the wall hides all rows from the owner of the tables
update import_batches set options = options || jsonb_build_object('policies', jsonb_build_array(
  'view_money', 'view_costs', 'view_personal_data', 'view_restricted_customers', 'view_message_content', 'import_records',
  'import_tickets', 'manage_customers', 'manage_leads', 'manage_tasks', 'view_trips', 'share_trips', 'send_messages',
  'view_reports', 'view_dashboards', 'manage_webhooks', 'manage_settings'))
where finished_at is null and options is not null;
reset role;
