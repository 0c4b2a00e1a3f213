import { at, type Needs, of, within, words } from '../harness/needs.ts'

/**
 * The policies needed to see each field of every reading, as specified: a list of policies, or `nothing`. If a role
 * lacks one, the field is null, empty or absent. `never` are fields that a reading has only in its shape. A new field
 * must be entered here, after deciding who may see it.
 */
const MONEY = 'view_money'
const COSTS = 'view_money view_costs'
const PERSONAL = 'view_personal_data'
const CONTENT = 'view_message_content'
/** The body of a delivery is masked for its role, here the owner: it is shown only to roles that see as much. */
const ALL_THAT_IS_SEEN =
  'view_money view_costs view_personal_data view_restricted_customers view_message_content view_trips view_reports view_dashboards'

const SEAT = 'id name email'
const FILE = 'id filename content_type byte_size url'
const PERSON =
  'first_name last_name nationality national_id passport_number passport_country passport_expiry date_of_birth gender'
const TRAVELER = `${PERSON} frequent_flyer_number`
const LEG = `airline_code flight_number operating_airline_code departure_airport arrival_airport scheduled_departure
  scheduled_arrival departure_terminal arrival_terminal booking_class cabin fare_basis status baggage seat stops equipment
  stopover operating_airline_name airline_locator not_valid_before not_valid_after`
const LINE = `kind label amount quantity currency vat_rate tax_inclusive net vat gross rate rate_day rate_source origin`

/** What every record contains about itself and its references. */
const HEAD = 'entity external_id source_system id status version created_at updated_at'
const PLACE = 'company_id branch_id'
const SUPPLIER = 'supplier.id supplier.external_id supplier.name'
const CUSTOMER: Needs = { nothing: 'customer.id customer.external_id', [PERSONAL]: 'customer.name' }
const TOTALS: Needs = {
  nothing: 'company_totals.currency invoiced cancelled_at',
  [MONEY]: 'totals.sell totals.vat company_totals.sell company_totals.vat',
  [COSTS]: 'totals.cost totals.margin company_totals.cost company_totals.margin',
}
const NO_CUSTOMER: Needs = { never: 'customer.id customer.external_id customer.name' }
const NO_SUPPLIER: Needs = { never: SUPPLIER }
const NO_TOTALS: Needs = { never: Object.values(TOTALS).join(' ') }

/** All bookings have these besides their own fields. */
const SOLD = of(CUSTOMER, TOTALS, {
  nothing: `${PLACE} ${SUPPLIER} currency assigned_to_email notes option_date transaction_date invoice_date balance_due_on`,
  [COSTS]: 'margin_value',
})
const PRICED: Needs = {
  nothing: 'rate_basis margin_mode',
  [MONEY]: at('sell_lines[]', LINE),
  [COSTS]: at('cost_lines[]', LINE),
}
const BOOKING = of({ nothing: HEAD }, SOLD, PRICED, { [PERSONAL]: at('travelers[]', TRAVELER) })
/** Records created only in the application have no external id. */
const MADE_HERE = of(
  { nothing: HEAD.replace('external_id source_system ', '') },
  { never: 'external_id source_system' },
  SOLD,
  PRICED,
)
const ROOMS: Needs = {
  nothing: at('rooms[]', 'name room_type capacity occupancy'),
  [MONEY]: at('rooms[]', 'nightly_rate single_supplement_amount'),
}

const PRINTED = 'currency amount'
const PRINTED_TAX = `code nature ${PRINTED}`
const PRINTED_FARE = `rate exempt[]
  ${['base', 'equivalent', 'total'].map((place) => at(place, PRINTED)).join(' ')}
  ${['taxes[]', 'paid_taxes[]', 'fees[]'].map((place) => at(place, PRINTED_TAX)).join(' ')}`
const printed = (of: string, places: string) =>
  words(places)
    .map((place) => at(`documents[].${of}${place}`, PRINTED))
    .join(' ')
/** A captured ticket file; documents are visible like the passengers of a sale. */
const TICKET_FILE: Needs = {
  nothing: `
    provider format version action training pnr booking_office ticketing_office booking_agent ticketing_agent iata_number
    client_account issued_on ticketing_deadline bsp ${at('made', 'day time zone')} ${at('part', 'number of sequence')}
    ${at('airline_locators[]', 'airline locator')} ${at('validating_airline', 'code numeric name')}
    ${at(
      'legs[]',
      `airline flight operating_airline from to departure arrival departure_terminal arrival_terminal booking_class cabin
       fare_basis status baggage stops equipment stopover airline_locator not_valid_before not_valid_after`,
    )}
  `,
  [PERSONAL]: `
    ${at('passengers[]', 'last_name first_name title type ptc date_of_birth gender nationality email phone frequent_flyer')}
    ${at('passengers[].passport', 'number country expires_on')} ${at('passengers[].seats[]', 'leg seat')}
    ${at(
      'documents[]',
      'number kind conjunctions[] passenger airline issued_on fare_mark tour_code endorsement associated_with',
    )}
    ${at('documents[].coupons[]', 'number status')} documents[].form_of_payment.kind
    ${at('documents[].services[]', 'coupon rfic rfisc text from to')}
    ${at('documents[].exchange.originals[]', 'number coupons')}
    ${at('documents[].refund', 'coupons originally_issued_on')}
  `,
  [MONEY]: 'paid.currency paid.amount',
  [`${MONEY} ${PERSONAL}`]: `
    ${at('documents[].fare', PRINTED_FARE)} ${at('documents[].selling_fare', PRINTED_FARE)}
    ${printed('', 'service_fee')} ${printed('exchange.', 'additional_collection fare_difference residual penalty')}
    ${printed('refund.', 'gross used refundable penalty other_fees tax_total total')}
    ${at('documents[].refund.taxes[]', PRINTED_TAX)} documents[].fare_calculation documents[].form_of_payment.text
  `,
  [`${COSTS} ${PERSONAL}`]: `
    ${at('documents[].net_fare', PRINTED_FARE)} ${at('documents[].commission', 'rate amount')}
    ${at('documents[].refund.commission_recall', 'rate amount')} remarks[]
  `,
}

const CUSTOMER_ITEM: Needs = {
  nothing: 'id customer_type lifecycle_stage vip_tier active tags[] company_id',
  [PERSONAL]: 'name email phone',
}
const SEGMENT: Needs = {
  nothing: `
    id trip_id trip_day_id segment_type status title description position start_time end_time duration_minutes
    location_name location_address is_optional is_highlighted is_client_visible cover_image_url flight_number
    airline_code departure_airport arrival_airport scheduled_departure scheduled_arrival currency
  `,
  [MONEY]: 'price_amount',
  [COSTS]: `
    cost_amount cost_currency commission_amount commission_rate margin_amount supplier.id supplier.name
    confirmation_number
  `,
}
const BATCH = `id entity dry_run mode status source_system company_id branch_id on_conflict processed ignored_fields[]
  error created_at started_at finished_at ${at('counts', 'total created updated unchanged skipped failed')}`
const ISSUE = 'field code message allowed[]'
const CATALOGUE_FIELD = `key type required pii enum_values[] suggested_values[] note max_length default`
const CATALOGUE_ENTRY = `key label model scope dependency_order idempotency.external_id_required idempotency.mode
  idempotency.key endpoints.validate endpoints.import`
const FIGURES = 'invited completed response_rate nps avg_segment_rating'

export const MASKED_FIELDS: Readonly<Record<string, Needs>> = {
  '/me': {
    nothing: `
      ${at('user', `${SEAT} role locale ai_response_locale verified`)} account.id account.external_account_id account.name
      ${at('companies[]', 'id name company_type is_default active')}
      ${at('companies[].branches[]', 'id name code is_headquarters active')}
      ${at(
        'policies',
        `view_money view_costs view_personal_data view_restricted_customers view_message_content import_records
         import_tickets manage_customers manage_leads manage_tasks view_trips share_trips send_messages view_reports
         view_dashboards manage_webhooks manage_settings manage_bookings manage_trips
         manage_documents manage_payments close_periods view_audit_log manage_people handle_privacy_requests`,
      )}
      ${at(
        'features',
        `api_access imports ticket_import webhooks dashboards reports_builder reports_finance reports_bsp messaging
         restricted_tags`,
      )}
      ${at('billing', 'status plan_slug plan_name trialing active trial_ends_at cancel_at_period_end')} server_time
    `,
    never: 'current_branch',
  },
  '/users': { nothing: SEAT },
  '/workspace': {
    nothing: `
      account.id account.name account.time_zone ${at('companies[]', 'id name default tax_country currency')}
      ${at('branches[]', 'id name code company_id headquarters')}
    `,
  },

  '/customers': of(CUSTOMER_ITEM, {
    nothing: 'preferred_channel opted_in_marketing opted_in_at code locale created_at updated_at',
    [PERSONAL]: `
      first_name last_name legal_name tax_number tax_office tax_office_code tax_scheme address birthday anniversary
    `,
  }),
  '/customers/duplicates': {
    // The pair reveals the people's identity.
    [PERSONAL]: `${Object.values(within('customers[]', CUSTOMER_ITEM)).join(' ')} reasons[]`,
  },
  // Their number would reveal which travellers of a booking were already known.
  '/customers/travelers': { [PERSONAL]: `id created_at updated_at ${TRAVELER}` },
  '/customers/notes': {
    nothing: `id pinned source ${at('author', SEAT)} created_at updated_at`,
    [PERSONAL]: `body ${at('attachments[]', FILE)}`,
  },
  '/leads': {
    nothing: `
      id stage score source currency destinations[] party_size target_departure_on target_return_on
      ${at('assigned_to', SEAT)} customer_id trip_id updated_at adult_count child_count flexible_dates occasion trip_type
      tags[] lost_reason stage_changed_at first_responded_at converted_at company_id created_at
      ${at('history[]', `from to reason at ${at('actor', SEAT)}`)}
    `,
    [MONEY]: 'estimated_value budget_per_person',
    [PERSONAL]: 'name email phone message notes lost_notes history[].notes',
  },
  '/tasks': {
    nothing: `
      id subject body priority due_at completed_at overdue taskable_type taskable_id reminder_offsets[]
      ${at('assigned_to', SEAT)} ${at('owner', SEAT)} ${at('completed_by', SEAT)} created_at updated_at
    `,
    [PERSONAL]: 'taskable_label',
  },
  '/notifications': {
    nothing: `
      id kind title body subject_type subject_id subject_label priority ${at('actor', SEAT)} read_at unread created_at
      unread_count
    `,
  },

  '/trips': {
    nothing: `
      id reference_number title status trip_type start_date end_date duration_nights destinations[] primary_currency
      cover_image_url ${at('assigned_advisor', SEAT)} primary_customer.id traveler_count days_until updated_at summary
      internal_notes settings notification_preferences account_id company_id customers[].id
      ${at('travelers[]', 'id customer_id is_lead')} day_count created_at
    `,
    [PERSONAL]: 'primary_customer.name customers[].name customers[].email travelers[].name',
  },
  '/trips/days': of(
    {
      nothing: `
        id day_number date title primary_location position segment_count description latitude longitude timezone
        cover_image_url created_at updated_at ${at('intelligence.weather', 'data provider updated_at')}
        ${at('intelligence.currency', 'data updated_at')} ${at('intelligence.general', 'data updated_at')}
      `,
    },
    within('segments[]', SEGMENT),
  ),
  '/trips/segments': SEGMENT,
  '/trips/notifications': {
    nothing: `
      id kind channel audience anchor offset_days send_at status skipped_reason communication_id sent_at
    `,
  },
  '/trips/share_links': {
    nothing: `
      id trip_id label audience supplier_id token_hint show_prices show_travelers password_protected active expires_at
      revoked_at view_count last_viewed_at ${at('created_by', SEAT)} created_at
    `,
  },
  '/communications': {
    nothing: `
      id customer_id trip_id direction channel status content_masked thread_id sent_at delivered_at read_at created_at
      unread unread_count purpose blocked_images in_reply_to external_id failed_at failure_reason ${at('author', SEAT)} customer.id
      updated_at
    `,
    view_trips: 'trip.id trip.title',
    [PERSONAL]: 'from_address to_addresses[] cc_addresses[] reply_to customer.name',
    [CONTENT]: `subject preview body_plain body_html ${at('attachments[]', FILE)}`,
    [`${CONTENT} ${PERSONAL}`]: 'metadata',
  },

  '/ticket_imports': of(within('document', TICKET_FILE), {
    // A reason that may name a person is replaced for roles that may not know the person.
    nothing: `
      id status provider format ticket_sale_id error cause document_action ticket_numbers[]
      duplicate_ticket_numbers[] part.number part.of ticketing_deadline captured_at created_at
    `,
    [PERSONAL]: 'filename',
    [`${MONEY} ${PERSONAL}`]: 'warnings[].code warnings[].message',
  }),
  '/ticket_imports/failures': { nothing: 'cause provider format count first_at last_at last_capture_id excerpt' },
  '/webhooks': { nothing: 'id url events[] entities[] active created_at' },
  '/webhooks/deliveries': {
    nothing: `
      id event_id event entity external_id status next_attempt_at created_at
      ${at('attempts[]', 'number at status_code error duration_ms')}
    `,
    [ALL_THAT_IS_SEEN]: `${at('payload', 'id event occurred_at data')} attempts[].response_excerpt`,
  },

  '/reports': {
    nothing: `
      key label description category plan_feature
      ${at('filters[]', 'key label type required default options[] multiple')}
      ${at('columns[]', 'key label type currency_key sensitive')}
    `,
  },
  '/saved_reports': { nothing: 'id name entity schedule_frequency schedule_state recipient_count last_run_at' },
  '/saved_reports/definition': {
    nothing: `
      id name entity schedule_frequency schedule_state recipient_count last_run_at preset_key filters definition
      schedule_hour schedule_weekday schedule_day paused_at paused_reason file_format ${at('saved_by', SEAT)} next_run_at
      ${at('last_run', 'due_at status reason finished_at')} created_at updated_at
    `,
    [PERSONAL]: 'recipients[]',
  },
  '/performance': {
    nothing: `
      window_days ${at('advisor', SEAT)} started ${FIGURES}
      ${at('per_advisor[]', `${at('advisor', SEAT)} ${FIGURES}`)}
      ${at('top_suppliers[]', 'supplier.id supplier.name ratings avg_rating')}
      ${at('detractors[]', `survey_id trip.id customer.id ${at('advisor', SEAT)} nps completed_at follow_up_task_id`)}
      complimentary.count
    `,
    view_trips: 'detractors[].trip.title',
    [PERSONAL]: 'detractors[].customer.name detractors[].comment',
    [MONEY]: 'complimentary.total_amount complimentary.currency',
  },
  '/retention': {
    nothing: `
      window_days ${at('upcoming[]', `trip_id anniversary customer.id ${at('advisor', SEAT)}`)}
      ${at('overdue_rebooks[]', `trip_id end_date customer.id ${at('advisor', SEAT)}`)}
      ${at('recent_touches[]', 'id kind status sent_at customer.id trip.id')}
      ${at('top_referrals[]', 'id token label visits conversions customer.id trip.id')}
    `,
    view_trips: `
      upcoming[].trip_title overdue_rebooks[].trip_title recent_touches[].trip.title top_referrals[].trip.title
    `,
    [PERSONAL]: `
      upcoming[].customer.name overdue_rebooks[].customer.name recent_touches[].customer.name
      top_referrals[].customer.name
    `,
  },

  '/imports/entities': {
    nothing: `
      ${CATALOGUE_ENTRY} limits.max_rows_per_request limits.sync_row_limit conventions
      ${at('entity', CATALOGUE_ENTRY)} ${at('entity.fields[]', CATALOGUE_FIELD)}
      ${at('entity.fields[].items[]', `${CATALOGUE_FIELD} items[]`)} entity.fields[].taxonomy_kind
      ${at('entity.references[]', 'key target_entity match_by[] on_missing')} entity.sample
    `,
    never: 'entity.fields[].items[].taxonomy_kind',
  },
  '/imports': { nothing: BATCH },
  '/imports/rows': {
    nothing: `
      index external_id status id record_status reason ${at('errors[]', ISSUE)} ${at('warnings[]', ISSUE)}
      ${at('batch', BATCH)}
    `,
  },

  'records of customers': of(NO_CUSTOMER, NO_SUPPLIER, NO_TOTALS, {
    nothing: `${HEAD} ${PLACE} customer_type preferred_currency code`,
    [PERSONAL]: `
      name email phone legal_name tax_number tax_office address_line address_district address_city address_state
      address_zip notes
    `,
    never: 'currency',
  }),
  'records of suppliers': of(NO_CUSTOMER, NO_SUPPLIER, NO_TOTALS, {
    nothing: `
      ${HEAD} name supplier_type code iata_code email phone country_code tax_number tax_office website
    `,
    [PERSONAL]: 'address_line address_district address_city address_state address_zip',
    never: `${PLACE} currency`,
  }),
  'records of leads': of(CUSTOMER, NO_SUPPLIER, NO_TOTALS, {
    nothing: `${HEAD} ${PLACE} stage source currency party_size destinations`,
    [MONEY]: 'estimated_value',
    [PERSONAL]: 'name email phone notes',
  }),
  'records of tour_departures': of(NO_CUSTOMER, NO_TOTALS, {
    nothing: `
      ${HEAD} ${PLACE} ${SUPPLIER} currency title starts_on ends_on max_capacity inventory_state seats_held notes
    `,
  }),
  'records of tickets': of({ nothing: HEAD }, SOLD, {
    nothing: `
      pnr gds_pnr settlement_channel fare_type miles_used issuing_system booking_office ticketing_office iata_number
      booking_agent ticketing_agent ticketing_deadline itinerary_type international ${at('legs[]', LEG)}
      ${at('refunds[]', 'ticket_number status refunded_on originally_issued_on coupons currency')}
      ${at('exchanges[]', 'ticket_number exchanged_ticket_numbers[] coupons currency')}
    `,
    [PERSONAL]: `
      reservation_giver_name ${at('passengers[]', TRAVELER)}
      ${at('passengers[]', 'title passenger_type email phone ticket_number conjunction_ticket_numbers[] document_type')}
      ${at('passengers[]', 'airline_code issued_on form_of_payment tour_code endorsement exchanged_ticket_number')}
      ${at('passengers[]', 'document_status phone_text passenger_type_code associated_ticket_number exempt_taxes[] fare_mark')}
      ${at('passengers[].coupons[]', 'number status')}
      ${at('passengers[].services[]', 'coupon rfic rfisc description departure_airport arrival_airport')}
      ${at('passengers[].seats[]', 'airline_code flight_number departure_airport arrival_airport seat')}
    `,
    [`${MONEY} ${PERSONAL}`]: at(
      'passengers[]',
      `base_fare equivalent_fare taxes[].code taxes[].amount service_fee discount penalty total base_fare_currency
       exchange_rate paid_taxes[].code paid_taxes[].amount airline_fees[].code airline_fees[].amount fare_calculation
       form_of_payment_text`,
    ),
    [`${COSTS} ${PERSONAL}`]: `remarks ${at('passengers[]', 'commission_rate commission_amount')}`,
    [MONEY]: `
      ${at('refunds[]', 'gross used refundable penalty other_fees taxes[].code taxes[].amount tax_total total')}
      ${at('exchanges[]', 'additional_collection fare_difference penalty residual')}
    `,
    [COSTS]: at('refunds[]', 'commission_recall commission_recall_rate'),
  }),
  'records of hotel_stays': of(BOOKING, ROOMS, {
    nothing: 'check_in_on check_out_on guest_count rooms[].single_supplement_currency',
  }),
  'records of transfers': of(BOOKING, {
    nothing: `
      transfer_type service_level pickup_at pickup_location pickup_address dropoff_location dropoff_address dropoff_at
      return_pickup_at flight_number flight_airport vehicle_class vehicle_count pax_count adult_count child_count
      infant_count luggage_count child_seat_count meet_and_greet plate_number confirmation_number
    `,
    [PERSONAL]: 'driver_name driver_phone',
  }),
  'records of cruises': of(BOOKING, {
    nothing: 'ship_name embark_on disembark_on cabin_count guest_count cabin_category',
  }),
  'records of car_rentals': of(BOOKING, {
    nothing: 'vehicle_class pickup_location dropoff_location pickup_at return_at pax_count',
  }),
  'records of tour_bookings': of(BOOKING, ROOMS, {
    nothing: `
      title adult_count child_count infant_count guest_count rooms[].single_supplement_currency booking_reference
      pickup_point extras[].name extras[].quantity
      ${at('tour_departure', 'id external_id title')}
    `,
    [MONEY]: 'extras[].amount',
  }),
  // Supplier invoices are costs of the agency.
  'records of operator_invoices': of(CUSTOMER, NO_TOTALS, {
    nothing: `
      ${HEAD} ${PLACE} ${SUPPLIER} currency invoice_number document_type booking_entity booking_external_id
      operator_reference issued_on due_on departure_on return_on pax_count deposit_due_on balance_due_on
      ${at('lines[]', 'description quantity vat_rate')} notes
    `,
    [PERSONAL]: 'lead_passenger_name',
    [COSTS]: `
      gross_amount commission_rate commission_amount commission_vat_amount net_amount vat_amount total_amount
      paid_amount deposit_amount balance_amount lines[].amount
    `,
  }),
  'records of supplier_bills': of(NO_CUSTOMER, NO_TOTALS, {
    nothing: `
      ${HEAD} ${PLACE} ${SUPPLIER} currency bill_number document_type issued_on due_on received_on
      ${at('lines[]', 'description quantity vat_rate booking_entity booking_external_id')} notes
    `,
    [COSTS]: `
      net_amount vat_amount withholding_amount total_amount paid_amount balance_amount
      ${at('lines[]', 'amount net_amount vat_amount total_amount')}
    `,
  }),
  'records of charters': of(MADE_HERE, {
    nothing: `
      charter_type starts_on ends_on pax_count capacity contract_number deposit_due_on ${at('legs[]', LEG)}
    `,
    [MONEY]: 'deposit_amount',
    [PERSONAL]: at('travelers[]', TRAVELER),
  }),
  'records of visa_cases': of(MADE_HERE, {
    nothing: `
      destination_country visa_type entry_type travel_on return_on submitted_on appointment_at decided_on valid_from
      valid_until ${at('documents[]', 'name required status')}
    `,
    [MONEY]: 'fee_amount service_fee_amount',
    [PERSONAL]: `visa_number ${at('applicants[]', PERSON)}`,
  }),
  'records of events': of(MADE_HERE, {
    nothing: `
      title event_type starts_on ends_on venue_name city country_code estimated_guest_count confirmed_guest_count
      ${at('vendors[]', 'name service status note')}
    `,
    [MONEY]: 'budget_amount',
    [PERSONAL]: at('travelers[]', TRAVELER),
  }),
}
