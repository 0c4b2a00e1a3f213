/**
 * What a role needs to see each field of everything that can be read: the policies, all of them, or `nothing`. Where a
 * role lacks one, the field is null, empty or absent. `untold` are those that no record of masking.test.ts has; other tests
 * know them. A field that is new has to be entered here, by somebody who has thought about who may see it.
 */
export const MASKED_FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/me': {
    nothing: `
      user.id user.name user.email user.role user.locale user.verified account.id account.external_account_id
      account.name companies[].id companies[].name companies[].is_default companies[].active companies[].branches[].id
      companies[].branches[].name companies[].branches[].code companies[].branches[].is_headquarters
      companies[].branches[].active policies.view_money policies.view_costs policies.view_personal_data
      policies.view_restricted_customers policies.view_message_content policies.import_records policies.import_tickets
      policies.manage_customers policies.manage_leads policies.manage_tasks policies.view_trips policies.share_trips
      policies.send_messages policies.view_reports policies.view_dashboards policies.manage_webhooks
      policies.manage_settings features.api_access features.imports features.ticket_import features.webhooks
      features.dashboards features.reports_builder features.reports_finance features.reports_bsp features.messaging
      features.restricted_tags billing.status billing.plan_slug billing.plan_name billing.trialing billing.active
      billing.cancel_at_period_end server_time
    `,
    untold: 'user.ai_response_locale current_branch companies[].company_type billing.trial_ends_at',
  },
  '/users': {
    nothing: 'id name email',
  },
  '/workspace': {
    nothing: `
      account.id account.name account.time_zone companies[].id companies[].name companies[].default
      companies[].tax_country companies[].currency branches[].id branches[].name branches[].code branches[].company_id
      branches[].headquarters
    `,
  },
  '/customers': {
    nothing: `
      id customer_type active company_id page.next_cursor page.has_more page.limit tax_scheme opted_in_marketing
      created_at updated_at
    `,
    view_personal_data: 'name email first_name last_name',
    untold: `
      phone lifecycle_stage vip_tier tags[] legal_name tax_number tax_office tax_office_code address birthday
      anniversary preferred_channel opted_in_at code locale
    `,
  },
  '/customers/duplicates': {
    nothing: 'page.has_more page.limit',
    view_personal_data: `
      customers[].id customers[].name customers[].customer_type customers[].email customers[].phone customers[].active
      customers[].tags[] customers[].company_id reasons[]
    `,
    untold: 'customers[].lifecycle_stage customers[].vip_tier page.next_cursor',
  },
  '/customers/travelers': {
    untold: `
      id first_name last_name nationality national_id passport_number passport_country passport_expiry date_of_birth
      gender frequent_flyer_number created_at updated_at
    `,
  },
  '/customers/notes': {
    nothing: 'id pinned source created_at updated_at',
    view_personal_data: 'body',
    untold: `
      author.id author.name author.email attachments[].id attachments[].filename attachments[].content_type
      attachments[].byte_size attachments[].url
    `,
  },
  '/leads': {
    nothing: `
      id stage score source currency destinations[] party_size updated_at page.has_more page.limit flexible_dates
      stage_changed_at company_id created_at history[].to history[].actor.id history[].actor.name
      history[].actor.email history[].at
    `,
    view_money: 'estimated_value',
    view_personal_data: 'name email phone',
    untold: `
      target_departure_on target_return_on assigned_to.id assigned_to.name assigned_to.email customer_id trip_id
      page.next_cursor message notes adult_count child_count occasion trip_type budget_per_person tags[] lost_reason
      lost_notes first_responded_at converted_at history[].from history[].reason history[].notes
    `,
  },
  '/tasks': {
    nothing: `
      id subject priority overdue page.has_more page.limit owner.id owner.name owner.email created_at updated_at
    `,
    untold: `
      due_at completed_at taskable_type taskable_id taskable_label assigned_to.id assigned_to.name assigned_to.email
      page.next_cursor body reminder_offsets[] completed_by.id completed_by.name completed_by.email
    `,
  },
  '/trips': {
    nothing: `
      id reference_number title status primary_currency primary_customer.id traveler_count updated_at page.has_more
      page.limit settings account_id company_id customers[].id travelers[].id travelers[].customer_id
      travelers[].is_lead day_count created_at
    `,
    view_personal_data: 'primary_customer.name customers[].name travelers[].name',
    untold: `
      trip_type start_date end_date duration_nights destinations[] cover_image_url assigned_advisor.id
      assigned_advisor.name assigned_advisor.email days_until page.next_cursor summary internal_notes
      notification_preferences customers[].email
    `,
  },
  '/trips/days': {
    nothing: `
      id day_number position segment_count created_at updated_at segments[].id segments[].trip_id
      segments[].trip_day_id segments[].segment_type segments[].status segments[].position segments[].is_optional
      segments[].is_highlighted segments[].is_client_visible
    `,
    untold: `
      date title primary_location description latitude longitude timezone cover_image_url intelligence.weather.data
      intelligence.weather.provider intelligence.weather.updated_at intelligence.currency.data
      intelligence.currency.updated_at intelligence.general.data intelligence.general.updated_at segments[].title
      segments[].description segments[].start_time segments[].end_time segments[].duration_minutes
      segments[].location_name segments[].location_address segments[].cover_image_url segments[].flight_number
      segments[].airline_code segments[].departure_airport segments[].arrival_airport segments[].scheduled_departure
      segments[].scheduled_arrival segments[].price_amount segments[].currency segments[].cost_amount
      segments[].cost_currency segments[].commission_amount segments[].commission_rate segments[].margin_amount
      segments[].supplier.id segments[].supplier.name segments[].confirmation_number
    `,
  },
  '/trips/segments': {
    nothing: 'id trip_id trip_day_id segment_type status position is_optional is_highlighted is_client_visible',
    untold: `
      title description start_time end_time duration_minutes location_name location_address cover_image_url
      flight_number airline_code departure_airport arrival_airport scheduled_departure scheduled_arrival price_amount
      currency cost_amount cost_currency commission_amount commission_rate margin_amount supplier.id supplier.name
      confirmation_number
    `,
  },
  '/trips/notifications': {
    untold: 'id kind channel audience anchor offset_days send_at status skipped_reason communication_id sent_at',
  },
  '/trips/share_links': {
    nothing: `
      id trip_id audience token_hint show_prices show_travelers password_protected active view_count created_by.id
      created_by.name created_by.email created_at
    `,
    untold: 'label supplier_id expires_at revoked_at last_viewed_at',
  },
  '/communications': {
    nothing: `
      id customer_id direction channel status content_masked thread_id created_at unread page.has_more page.limit
      unread_count purpose author.id author.name author.email customer.id updated_at
    `,
    view_personal_data: 'customer.name',
    untold: `
      trip_id subject preview from_address to_addresses[] sent_at delivered_at read_at page.next_cursor body_plain
      body_html cc_addresses[] reply_to in_reply_to external_id failed_at failure_reason metadata trip.id trip.title
      attachments[].id attachments[].filename attachments[].content_type attachments[].byte_size attachments[].url
    `,
  },
  '/notifications': {
    nothing: `
      id kind title subject_type subject_id subject_label priority unread created_at page.has_more page.limit
      unread_count
    `,
    untold: 'body actor.id actor.name actor.email read_at page.next_cursor',
  },
  '/ticket_imports': {
    nothing: `
      id status provider format ticket_sale_id document_action ticket_numbers[] captured_at created_at page.has_more
      page.limit
    `,
    'view_money view_personal_data': 'warnings[].code warnings[].message',
    untold: 'filename error duplicate_ticket_numbers[] part.number part.of page.next_cursor',
  },
  '/webhooks': {
    nothing: 'id url events[] active created_at page.has_more page.limit',
    untold: 'entities[] page.next_cursor',
  },
  '/webhooks/deliveries': {
    nothing: 'id event_id event status created_at page.has_more page.limit',
    'view_money view_costs view_personal_data view_restricted_customers view_message_content view_trips view_reports view_dashboards': `
      payload.id payload.event payload.occurred_at payload.data
    `,
    untold: `
      entity external_id attempts[].number attempts[].at attempts[].status_code attempts[].error
      attempts[].duration_ms attempts[].response_excerpt next_attempt_at page.next_cursor
    `,
  },
  '/reports': {
    nothing: `
      key label description category plan_feature filters[].key filters[].label filters[].type filters[].required
      filters[].default filters[].options[] filters[].multiple columns[].key columns[].label columns[].type
      columns[].currency_key columns[].sensitive
    `,
  },
  '/saved_reports': {
    nothing: 'id name recipient_count page.has_more page.limit',
    untold: 'entity schedule_frequency last_run_at page.next_cursor',
  },
  '/saved_reports/definition': {
    nothing: `
      id name recipient_count preset_key file_format saved_by.id saved_by.name saved_by.email created_at updated_at
    `,
    untold: `
      entity schedule_frequency last_run_at filters definition schedule_hour schedule_weekday schedule_day
      recipients[] next_run_at last_run.due_at last_run.status last_run.reason last_run.finished_at
    `,
  },
  '/imports/entities': {
    nothing: `
      key label model scope dependency_order idempotency.external_id_required idempotency.mode idempotency.key
      endpoints.validate endpoints.import limits.max_rows_per_request limits.sync_row_limit conventions entity.key
      entity.label entity.model entity.scope entity.dependency_order entity.idempotency.external_id_required
      entity.idempotency.mode entity.idempotency.key entity.endpoints.validate entity.endpoints.import
      entity.fields[].key entity.fields[].type entity.fields[].required entity.fields[].pii
      entity.fields[].enum_values[] entity.fields[].note entity.fields[].max_length entity.fields[].default
      entity.fields[].items[].key entity.fields[].items[].type entity.fields[].items[].required
      entity.fields[].items[].pii entity.fields[].items[].suggested_values[] entity.fields[].items[].note
      entity.fields[].items[].max_length entity.fields[].items[].default entity.references[].key
      entity.references[].target_entity entity.references[].match_by[] entity.references[].on_missing entity.sample
    `,
    untold: `
      entity.fields[].suggested_values[] entity.fields[].taxonomy_kind entity.fields[].items[].enum_values[]
      entity.fields[].items[].taxonomy_kind entity.fields[].items[].items[]
    `,
  },
  '/imports': {
    nothing: `
      id entity dry_run mode status source_system company_id branch_id on_conflict counts.total counts.created
      counts.updated counts.unchanged counts.skipped counts.failed processed created_at started_at finished_at
      page.has_more page.limit
    `,
    untold: 'ignored_fields[] error page.next_cursor',
  },
  '/imports/rows': {
    nothing: `
      index external_id status id record_status batch.id batch.entity batch.dry_run batch.mode batch.status
      batch.source_system batch.company_id batch.branch_id batch.on_conflict batch.counts.total batch.counts.created
      batch.counts.updated batch.counts.unchanged batch.counts.skipped batch.counts.failed batch.processed
      batch.created_at batch.started_at batch.finished_at page.has_more page.limit
    `,
    untold: `
      reason errors[].field errors[].code errors[].message errors[].allowed[] warnings[].field warnings[].code
      warnings[].message warnings[].allowed[] batch.ignored_fields[] batch.error page.next_cursor
    `,
  },
  'records of customers': {
    nothing: `
      entity external_id source_system id status company_id branch_id version customer_type preferred_currency code
      created_at updated_at
    `,
    view_personal_data: `
      name email phone legal_name tax_number tax_office address_line address_district address_city address_zip notes
    `,
    untold: `
      customer.id customer.external_id customer.name supplier.id supplier.external_id supplier.name currency
      totals.sell totals.cost totals.margin totals.vat company_totals.currency company_totals.sell company_totals.cost
      company_totals.margin company_totals.vat invoiced address_state cancelled_at
    `,
  },
  'records of suppliers': {
    nothing: `
      entity external_id source_system id status version name supplier_type code email phone country_code tax_number
      website created_at updated_at
    `,
    view_personal_data: 'address_line address_city',
    untold: `
      company_id branch_id customer.id customer.external_id customer.name supplier.id supplier.external_id
      supplier.name currency totals.sell totals.cost totals.margin totals.vat company_totals.currency
      company_totals.sell company_totals.cost company_totals.margin company_totals.vat invoiced iata_code tax_office
      address_district address_state address_zip cancelled_at
    `,
  },
  'records of leads': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id currency
      version stage source party_size destinations created_at updated_at
    `,
    view_money: 'estimated_value',
    view_personal_data: 'customer.name name email phone notes',
    untold: `
      supplier.id supplier.external_id supplier.name totals.sell totals.cost totals.margin totals.vat
      company_totals.currency company_totals.sell company_totals.cost company_totals.margin company_totals.vat
      invoiced cancelled_at
    `,
  },
  'records of tour_departures': {
    nothing: `
      entity external_id source_system id status company_id branch_id supplier.id supplier.external_id supplier.name
      currency version title starts_on ends_on max_capacity inventory_state notes seats_held created_at updated_at
    `,
    untold: `
      customer.id customer.external_id customer.name totals.sell totals.cost totals.margin totals.vat
      company_totals.currency company_totals.sell company_totals.cost company_totals.margin company_totals.vat
      invoiced cancelled_at
    `,
  },
  'records of tickets': {
    nothing: `
      entity external_id source_system id status company_id branch_id currency company_totals.currency invoiced
      version pnr gds_pnr settlement_channel fare_type issuing_system legs[].airline_code legs[].flight_number
      legs[].departure_airport legs[].arrival_airport legs[].scheduled_departure legs[].scheduled_arrival
      legs[].arrival_terminal legs[].booking_class legs[].cabin legs[].fare_basis legs[].status legs[].baggage
      legs[].stops legs[].equipment legs[].stopover transaction_date itinerary_type international created_at
      updated_at
    `,
    view_money: 'totals.sell totals.vat',
    'view_money view_costs': 'totals.cost totals.margin',
    view_personal_data: `
      passengers[].first_name passengers[].last_name passengers[].title passengers[].passenger_type
      passengers[].date_of_birth passengers[].nationality passengers[].ticket_number passengers[].document_type
      passengers[].airline_code passengers[].issued_on passengers[].form_of_payment passengers[].endorsement
      passengers[].document_status
    `,
    'view_money view_costs view_personal_data': 'passengers[].commission_rate passengers[].commission_amount',
    'view_money view_personal_data': `
      passengers[].base_fare passengers[].taxes[].code passengers[].taxes[].amount passengers[].service_fee
      passengers[].total
    `,
    untold: `
      customer.id customer.external_id customer.name supplier.id supplier.external_id supplier.name
      company_totals.sell company_totals.cost company_totals.margin company_totals.vat miles_used
      reservation_giver_name legs[].operating_airline_code legs[].departure_terminal legs[].seat passengers[].gender
      passengers[].national_id passengers[].passport_number passengers[].passport_country passengers[].passport_expiry
      passengers[].frequent_flyer_number passengers[].email passengers[].phone
      passengers[].conjunction_ticket_numbers[] passengers[].tour_code passengers[].exchanged_ticket_number
      passengers[].equivalent_fare passengers[].discount passengers[].penalty assigned_to_email notes margin_value
      option_date invoice_date balance_due_on refunds[].ticket_number refunds[].status refunds[].refunded_on
      refunds[].originally_issued_on refunds[].coupons refunds[].currency refunds[].gross refunds[].used
      refunds[].penalty refunds[].other_fees refunds[].taxes[].code refunds[].taxes[].amount refunds[].tax_total
      refunds[].commission_recall refunds[].commission_recall_rate refunds[].total exchanges[].ticket_number
      exchanges[].exchanged_ticket_numbers[] exchanges[].coupons exchanges[].currency
      exchanges[].additional_collection exchanges[].penalty exchanges[].residual cancelled_at
    `,
  },
  'records of hotel_stays': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id supplier.id
      supplier.external_id supplier.name currency company_totals.currency invoiced version check_in_on check_out_on
      guest_count rooms[].name rooms[].room_type rooms[].capacity rooms[].occupancy assigned_to_email notes
      option_date transaction_date invoice_date created_at updated_at
    `,
    view_money: `
      totals.sell totals.vat company_totals.sell company_totals.vat rooms[].nightly_rate sell_lines[].kind
      sell_lines[].label sell_lines[].amount sell_lines[].quantity sell_lines[].currency sell_lines[].vat_rate
      sell_lines[].tax_inclusive sell_lines[].net sell_lines[].vat sell_lines[].gross sell_lines[].rate
      sell_lines[].origin
    `,
    'view_money view_costs': `
      totals.cost totals.margin company_totals.cost company_totals.margin cost_lines[].kind cost_lines[].amount
      cost_lines[].quantity cost_lines[].currency cost_lines[].vat_rate cost_lines[].tax_inclusive cost_lines[].net
      cost_lines[].vat cost_lines[].gross cost_lines[].rate cost_lines[].origin
    `,
    view_personal_data: `
      customer.name travelers[].first_name travelers[].last_name travelers[].nationality travelers[].passport_number
      travelers[].passport_country travelers[].passport_expiry travelers[].date_of_birth
    `,
    untold: `
      rooms[].single_supplement_amount rooms[].single_supplement_currency rate_basis margin_mode margin_value
      balance_due_on cost_lines[].label cost_lines[].rate_day cost_lines[].rate_source sell_lines[].rate_day
      sell_lines[].rate_source travelers[].national_id travelers[].gender travelers[].frequent_flyer_number
      cancelled_at
    `,
  },
  'records of transfers': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id supplier.id
      supplier.external_id supplier.name currency company_totals.currency invoiced version transfer_type service_level
      pickup_at pickup_location dropoff_location flight_number flight_airport pax_count luggage_count meet_and_greet
      transaction_date created_at updated_at
    `,
    view_money: `
      totals.sell totals.vat sell_lines[].kind sell_lines[].amount sell_lines[].quantity sell_lines[].currency
      sell_lines[].vat_rate sell_lines[].tax_inclusive sell_lines[].net sell_lines[].vat sell_lines[].gross
      sell_lines[].origin
    `,
    'view_money view_costs': `
      totals.cost totals.margin cost_lines[].kind cost_lines[].amount cost_lines[].quantity cost_lines[].currency
      cost_lines[].vat_rate cost_lines[].tax_inclusive cost_lines[].net cost_lines[].vat cost_lines[].gross
      cost_lines[].origin
    `,
    view_personal_data: 'customer.name',
    untold: `
      company_totals.sell company_totals.cost company_totals.margin company_totals.vat pickup_address dropoff_address
      dropoff_at return_pickup_at vehicle_class vehicle_count adult_count child_count infant_count child_seat_count
      driver_name driver_phone plate_number confirmation_number assigned_to_email notes rate_basis margin_mode
      margin_value option_date invoice_date balance_due_on cost_lines[].label cost_lines[].rate cost_lines[].rate_day
      cost_lines[].rate_source sell_lines[].label sell_lines[].rate sell_lines[].rate_day sell_lines[].rate_source
      travelers[].first_name travelers[].last_name travelers[].nationality travelers[].national_id
      travelers[].passport_number travelers[].passport_country travelers[].passport_expiry travelers[].date_of_birth
      travelers[].gender travelers[].frequent_flyer_number cancelled_at
    `,
  },
  'records of cruises': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id supplier.id
      supplier.external_id supplier.name currency company_totals.currency invoiced version ship_name embark_on
      disembark_on cabin_count guest_count cabin_category rate_basis margin_mode transaction_date created_at
      updated_at
    `,
    view_money: `
      totals.sell totals.vat sell_lines[].kind sell_lines[].label sell_lines[].amount sell_lines[].quantity
      sell_lines[].currency sell_lines[].tax_inclusive sell_lines[].net sell_lines[].vat sell_lines[].gross
      sell_lines[].origin
    `,
    'view_money view_costs': `
      totals.cost totals.margin margin_value cost_lines[].kind cost_lines[].label cost_lines[].amount
      cost_lines[].quantity cost_lines[].currency cost_lines[].tax_inclusive cost_lines[].net cost_lines[].vat
      cost_lines[].gross cost_lines[].origin
    `,
    view_personal_data: `
      customer.name travelers[].first_name travelers[].last_name travelers[].nationality travelers[].date_of_birth
    `,
    untold: `
      company_totals.sell company_totals.cost company_totals.margin company_totals.vat assigned_to_email notes
      option_date invoice_date balance_due_on cost_lines[].vat_rate cost_lines[].rate cost_lines[].rate_day
      cost_lines[].rate_source sell_lines[].vat_rate sell_lines[].rate sell_lines[].rate_day sell_lines[].rate_source
      travelers[].national_id travelers[].passport_number travelers[].passport_country travelers[].passport_expiry
      travelers[].gender travelers[].frequent_flyer_number cancelled_at
    `,
  },
  'records of car_rentals': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id supplier.id
      supplier.external_id supplier.name currency company_totals.currency invoiced version vehicle_class
      pickup_location dropoff_location pickup_at return_at pax_count rate_basis margin_mode transaction_date
      created_at updated_at
    `,
    view_money: 'totals.sell totals.vat company_totals.sell company_totals.vat',
    'view_money view_costs': `
      totals.cost totals.margin company_totals.cost company_totals.margin margin_value cost_lines[].kind
      cost_lines[].amount cost_lines[].quantity cost_lines[].currency cost_lines[].vat_rate cost_lines[].tax_inclusive
      cost_lines[].net cost_lines[].vat cost_lines[].gross cost_lines[].rate cost_lines[].origin sell_lines[].kind
      sell_lines[].amount sell_lines[].quantity sell_lines[].currency sell_lines[].vat_rate sell_lines[].tax_inclusive
      sell_lines[].net sell_lines[].vat sell_lines[].gross sell_lines[].rate sell_lines[].origin
    `,
    view_personal_data: 'customer.name',
    untold: `
      assigned_to_email notes option_date invoice_date balance_due_on cost_lines[].label cost_lines[].rate_day
      cost_lines[].rate_source sell_lines[].label sell_lines[].rate_day sell_lines[].rate_source
      travelers[].first_name travelers[].last_name travelers[].nationality travelers[].national_id
      travelers[].passport_number travelers[].passport_country travelers[].passport_expiry travelers[].date_of_birth
      travelers[].gender travelers[].frequent_flyer_number cancelled_at
    `,
  },
  'records of tour_bookings': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id currency
      company_totals.currency invoiced version adult_count guest_count rooms[].name rooms[].room_type rooms[].capacity
      rooms[].occupancy extras[].name extras[].quantity pickup_point transaction_date tour_departure.id
      tour_departure.external_id tour_departure.title created_at updated_at
    `,
    view_money: `
      totals.sell totals.vat company_totals.sell company_totals.vat rooms[].nightly_rate extras[].amount
      sell_lines[].kind sell_lines[].label sell_lines[].amount sell_lines[].quantity sell_lines[].currency
      sell_lines[].tax_inclusive sell_lines[].net sell_lines[].vat sell_lines[].gross sell_lines[].rate
      sell_lines[].origin
    `,
    'view_money view_costs': `
      totals.cost totals.margin company_totals.cost company_totals.margin cost_lines[].kind cost_lines[].amount
      cost_lines[].quantity cost_lines[].currency cost_lines[].vat_rate cost_lines[].tax_inclusive cost_lines[].net
      cost_lines[].vat cost_lines[].gross cost_lines[].rate cost_lines[].origin
    `,
    view_personal_data: 'customer.name',
    untold: `
      supplier.id supplier.external_id supplier.name title child_count infant_count rooms[].single_supplement_amount
      rooms[].single_supplement_currency booking_reference assigned_to_email notes rate_basis margin_mode margin_value
      option_date invoice_date balance_due_on cost_lines[].label cost_lines[].rate_day cost_lines[].rate_source
      sell_lines[].vat_rate sell_lines[].rate_day sell_lines[].rate_source travelers[].first_name
      travelers[].last_name travelers[].nationality travelers[].national_id travelers[].passport_number
      travelers[].passport_country travelers[].passport_expiry travelers[].date_of_birth travelers[].gender
      travelers[].frequent_flyer_number cancelled_at
    `,
  },
  'records of operator_invoices': {
    nothing: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id supplier.id
      supplier.external_id supplier.name currency version invoice_number document_type booking_entity
      booking_external_id issued_on due_on departure_on return_on pax_count created_at updated_at
    `,
    'view_money view_costs': `
      gross_amount commission_amount commission_vat_amount net_amount total_amount paid_amount balance_amount
    `,
    view_personal_data: 'customer.name lead_passenger_name',
    untold: `
      totals.sell totals.cost totals.margin totals.vat company_totals.currency company_totals.sell company_totals.cost
      company_totals.margin company_totals.vat invoiced operator_reference commission_rate vat_amount deposit_amount
      deposit_due_on balance_due_on lines[].description lines[].quantity lines[].amount lines[].vat_rate notes
      cancelled_at
    `,
  },
  'records of supplier_bills': {
    nothing: `
      entity external_id source_system id status company_id branch_id supplier.id supplier.external_id supplier.name
      currency version bill_number document_type issued_on due_on received_on lines[].description lines[].quantity
      lines[].vat_rate lines[].booking_entity lines[].booking_external_id created_at updated_at
    `,
    'view_money view_costs': 'net_amount vat_amount total_amount paid_amount lines[].amount balance_amount',
    untold: `
      customer.id customer.external_id customer.name totals.sell totals.cost totals.margin totals.vat
      company_totals.currency company_totals.sell company_totals.cost company_totals.margin company_totals.vat
      invoiced withholding_amount lines[].net_amount lines[].vat_amount lines[].total_amount notes cancelled_at
    `,
  },
  'records of charters': {
    untold: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id customer.name
      supplier.id supplier.external_id supplier.name currency totals.sell totals.cost totals.margin totals.vat
      company_totals.currency company_totals.sell company_totals.cost company_totals.margin company_totals.vat
      invoiced version charter_type starts_on ends_on pax_count capacity contract_number deposit_amount deposit_due_on
      legs[].airline_code legs[].flight_number legs[].operating_airline_code legs[].departure_airport
      legs[].arrival_airport legs[].scheduled_departure legs[].scheduled_arrival legs[].departure_terminal
      legs[].arrival_terminal legs[].booking_class legs[].cabin legs[].fare_basis legs[].status legs[].baggage
      legs[].seat legs[].stops legs[].equipment legs[].stopover assigned_to_email notes rate_basis margin_mode
      margin_value option_date transaction_date invoice_date balance_due_on cost_lines[].kind cost_lines[].label
      cost_lines[].amount cost_lines[].quantity cost_lines[].currency cost_lines[].vat_rate cost_lines[].tax_inclusive
      cost_lines[].net cost_lines[].vat cost_lines[].gross cost_lines[].rate cost_lines[].rate_day
      cost_lines[].rate_source cost_lines[].origin sell_lines[].kind sell_lines[].label sell_lines[].amount
      sell_lines[].quantity sell_lines[].currency sell_lines[].vat_rate sell_lines[].tax_inclusive sell_lines[].net
      sell_lines[].vat sell_lines[].gross sell_lines[].rate sell_lines[].rate_day sell_lines[].rate_source
      sell_lines[].origin travelers[].first_name travelers[].last_name travelers[].nationality travelers[].national_id
      travelers[].passport_number travelers[].passport_country travelers[].passport_expiry travelers[].date_of_birth
      travelers[].gender travelers[].frequent_flyer_number created_at updated_at cancelled_at
    `,
  },
  'records of visa_cases': {
    untold: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id customer.name
      supplier.id supplier.external_id supplier.name currency totals.sell totals.cost totals.margin totals.vat
      company_totals.currency company_totals.sell company_totals.cost company_totals.margin company_totals.vat
      invoiced version destination_country visa_type entry_type travel_on return_on submitted_on appointment_at
      decided_on visa_number valid_from valid_until fee_amount service_fee_amount applicants[].first_name
      applicants[].last_name applicants[].nationality applicants[].national_id applicants[].passport_number
      applicants[].passport_country applicants[].passport_expiry applicants[].date_of_birth applicants[].gender
      documents[].name documents[].required documents[].status assigned_to_email notes rate_basis margin_mode
      margin_value option_date transaction_date invoice_date balance_due_on cost_lines[].kind cost_lines[].label
      cost_lines[].amount cost_lines[].quantity cost_lines[].currency cost_lines[].vat_rate cost_lines[].tax_inclusive
      cost_lines[].net cost_lines[].vat cost_lines[].gross cost_lines[].rate cost_lines[].rate_day
      cost_lines[].rate_source cost_lines[].origin sell_lines[].kind sell_lines[].label sell_lines[].amount
      sell_lines[].quantity sell_lines[].currency sell_lines[].vat_rate sell_lines[].tax_inclusive sell_lines[].net
      sell_lines[].vat sell_lines[].gross sell_lines[].rate sell_lines[].rate_day sell_lines[].rate_source
      sell_lines[].origin created_at updated_at cancelled_at
    `,
  },
  'records of events': {
    untold: `
      entity external_id source_system id status company_id branch_id customer.id customer.external_id customer.name
      supplier.id supplier.external_id supplier.name currency totals.sell totals.cost totals.margin totals.vat
      company_totals.currency company_totals.sell company_totals.cost company_totals.margin company_totals.vat
      invoiced version title event_type starts_on ends_on venue_name city country_code estimated_guest_count
      confirmed_guest_count budget_amount vendors[].name vendors[].service vendors[].status vendors[].note
      assigned_to_email notes rate_basis margin_mode margin_value option_date transaction_date invoice_date
      balance_due_on cost_lines[].kind cost_lines[].label cost_lines[].amount cost_lines[].quantity
      cost_lines[].currency cost_lines[].vat_rate cost_lines[].tax_inclusive cost_lines[].net cost_lines[].vat
      cost_lines[].gross cost_lines[].rate cost_lines[].rate_day cost_lines[].rate_source cost_lines[].origin
      sell_lines[].kind sell_lines[].label sell_lines[].amount sell_lines[].quantity sell_lines[].currency
      sell_lines[].vat_rate sell_lines[].tax_inclusive sell_lines[].net sell_lines[].vat sell_lines[].gross
      sell_lines[].rate sell_lines[].rate_day sell_lines[].rate_source sell_lines[].origin travelers[].first_name
      travelers[].last_name travelers[].nationality travelers[].national_id travelers[].passport_number
      travelers[].passport_country travelers[].passport_expiry travelers[].date_of_birth travelers[].gender
      travelers[].frequent_flyer_number created_at updated_at cancelled_at
    `,
  },
}
