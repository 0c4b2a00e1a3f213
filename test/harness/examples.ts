import type { Importable } from '../../src/imports/importable.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { entities, importables } from '../../src/registry.ts'
import type { Agency } from './agency.ts'
import type { TestCell } from './cell.ts'
import {
  apiKey,
  billing,
  billingOf,
  booking,
  branch,
  company,
  create,
  customer,
  document,
  type Example,
  endAll,
  filedBooking,
  identity,
  lead,
  loggedRequest,
  type Make,
  nextSerial,
  note,
  notification,
  ownPasskey,
  ownRole,
  partOfTrip,
  person,
  provider,
  record,
  referral,
  savedVersion,
  survey,
  template,
  ticketFile,
  trip,
  undone,
  versionOfAgency,
  webhook,
} from './example-makers.ts'
import { changedRules } from './settings.ts'
import { tripsOf } from './trips.ts'
import { multipart } from './upload.ts'
import { creates, least } from './writes.ts'

/** By the beginning of a route's path; the first match. A record that needs only its attributes needs no example. */
const EXAMPLES: readonly (readonly [begins: string, make: Make])[] = [
  [
    '/customers/:id/notes',
    async (cell, agency) => {
      const id = await create(cell, agency, '/customers', customer)
      return { params: { id, note_id: await create(cell, agency, `/customers/${id}/notes`, note) }, body: note }
    },
  ],
  [
    '/customers/:id/merge',
    async (cell, agency) => {
      const id = await create(cell, agency, '/customers', customer)
      return { params: { id }, body: { into_id: await create(cell, agency, '/customers', customer) } }
    },
  ],
  ['/stream', async () => ({ headers: { 'last-event-id': 'none' } })], // refused, since a stream would not end
  ['/customers', record('/customers', customer)],
  ['/bookings/:id/cancel', booking({})],
  ['/bookings/:id/price', booking({ price: {} })],
  ['/bookings/:id/status', booking({ status: 'option' })],
  ['/bookings/:id', booking({ booking: { notes: 'Call back.' } })],
  ['/uploads', async () => multipart([{ name: 'file', filename: 'note.txt', bytes: 'A note.' }])],
  [
    '/leads/:id/transition',
    async (cell, agency) => ({ ...(await record('/leads', lead)(cell, agency)), body: { stage: 'qualified' } }),
  ],
  ['/leads/:id/convert', async (cell, agency) => ({ ...(await record('/leads', lead)(cell, agency)), body: {} })],
  ['/notifications', notification],
  ['/ticket_imports/:id/reread', async (cell, agency) => ({ ...(await ticketFile(cell, agency)), body: {} })],
  ['/ticket_imports', ticketFile],
  [
    '/webhooks/:id/deliveries',
    async (cell, agency) => {
      const { params } = await webhook(cell, agency)
      const path = `/webhooks/${params.id}`
      const { body } = await cell.call('POST', `${path}/test`, { key: agency.key })
      await cell.deps.db.askSystem('a test ends deliveries', endAll, { account: agency.number })
      return { params: { ...params, delivery_id: (body as { data: { id: string } }).data.id } }
    },
  ],
  [
    '/webhooks/:id/redeliver',
    async (cell, agency) => ({ ...(await webhook(cell, agency)), body: { since: '2026-01-01T00:00:00Z' } }),
  ],
  ['/webhooks', webhook],
  ['/api_keys/:id/rotate', apiKey({ overlap_hours: 1 })],
  ['/api_keys/:id', apiKey({ version: 1, name: 'Renamed' })],
  ['/api_keys', async () => ({ body: { name: 'Web shop', scopes: ['import'], role: 'viewer' } })],
  ['/sign_in_providers/:id', provider],
  [
    '/sign_in_providers',
    async () => ({
      body: { name: 'Issuer', issuer: 'https://10.0.0.1', client_id: 'backdesk', client_secret: 'secret' },
    }),
  ],
  ['/session/identities/:id', identity],
  ['/session/passkeys/:id', ownPasskey],
  ['/session/email', async () => ({ body: { email: `ada-${crypto.randomUUID()}@agency.example` } })],
  ['/session/', async () => ({ body: { provider_id: crypto.randomUUID() } })],
  ['/roles/:name', ownRole({ version: 1, policies: [] })],
  ['/roles', async () => ({ body: { name: `desk_${Date.now()}_${nextSerial()}`, policies: ['view_trips'] } })],
  ['/people/:id/deactivate', person(({ owner }) => ({ reassign_to_id: owner.id }))],
  ['/people/:id', person(() => ({ version: 1, name: 'Ada' }))],
  ['/people', person(() => ({ email: `ada-${crypto.randomUUID()}@agency.example`, role: 'viewer' }))],
  [
    '/templates/:kind/:locale/preview',
    template(async (cell, agency) => ({ trip_id: await tripsOf(() => cell).make(agency) })),
  ],
  ['/templates/:kind/:locale', template(savedVersion)],
  ['/documents/:id', document],
  ['/bsp_billings/:id', async (cell, agency) => ({ params: { id: await billing(cell, agency) } })],
  [
    '/bsp_billings',
    async () => multipart([{ name: 'file', filename: 'billing.csv', bytes: billingOf(`235${nextSerial()}`) }]),
  ],
  ['/companies/:id/bank_accounts', company(() => ({ version: 1, bank_accounts: [] }))],
  ['/companies/:id/last_number', company(() => ({ number: 'INV-2026-000012' }))],
  ['/companies/:id', company(() => ({ version: 1, name: 'Seyahat' }))],
  ['/companies', company(() => ({ name: 'Reisen', tax_country: 'DE', currency: 'EUR' }))],
  ['/branches/:id', branch(() => ({ version: 1, name: 'Bodrum' }))],
  ['/branches', branch(({ company: { id } }) => ({ company_id: id, name: 'Bodrum' }))],
  [
    '/agency/owner',
    async (cell, agency) => ({ body: { seat_id: (await person(() => ({}))(cell, agency)).params?.id } }),
  ],
  [
    '/agency/sign_in_rules',
    async (...of) => ({ body: { ...(await versionOfAgency(...of)), second_factor_required: false } }),
  ],
  ['/agency', async (...of) => ({ body: { ...(await versionOfAgency(...of)), name: `Seyahat ${nextSerial()}` } })],
  ['/retention_rules', changedRules],
  ['/restricted_tags', async () => ({ body: { name: 'vip' } })],
  ['/trips/:id/itinerary/days/:day_id/move', partOfTrip({ version: 1, day_number: 1 })],
  ['/trips/:id/itinerary/days/:day_id', partOfTrip({ version: 1, day: { title: 'Rome' } })],
  ['/trips/:id/itinerary/days', partOfTrip({ day: { title: 'Rome' } })],
  ['/trips/:id/itinerary/segments/:segment_id/move', partOfTrip(({ day_id }) => ({ version: 1, day_id, position: 1 }))],
  ['/trips/:id/itinerary/segments/:segment_id', partOfTrip({ version: 1, segment: { title: 'Walk' } })],
  ['/trips/:id/itinerary/segments', partOfTrip(({ day_id }) => ({ day_id, segment: { segment_type: 'note' } }))],
  ['/trips/:id/travelers/:traveler_id', partOfTrip({ version: 1, traveler: { name: 'Veli' } })],
  ['/trips/:id/travelers', partOfTrip({ traveler: { name: 'Veli' } })],
  ['/trips/:id/duplicate', partOfTrip({ start_date: '2031-05-10' })],
  ['/trips/:id/bookings', filedBooking],
  ['/trips/:id/preview', partOfTrip({})],
  ['/referrals/:id', async (cell, agency) => ({ params: { id: await referral(cell, agency) } })],
  ['/referrals', async () => ({ body: { referral: { label: 'Autumn' } } })],
  ['/surveys/:id', survey],
  ['/trips/:id/undo', undone],
  ['/trips/:id/cancel', partOfTrip({ version: 1 })],
  ['/trips/:id/share_links', trip],
  ['/trips/:id', partOfTrip({ version: 1, trip: { title: 'Rome' } })],
  [
    '/trips',
    async (cell, agency) => ({
      body: { trip: { customer_id: await create(cell, agency, '/customers', customer), title: 'Rome' } },
    }),
  ],
  [
    '/saved_reports',
    record('/saved_reports', { saved_report: { name: 'Customers', preset_key: 'sales_by_customer' } }),
  ],
  ['/request_log', loggedRequest],
  ['/reports/:id', async () => ({ params: { id: 'sales_by_customer' } })],
  [
    '/communications',
    async (cell, agency) => {
      const customer_id = await create(cell, agency, '/customers', customer)
      return record('/communications', { communication: { channel: 'phone', customer_id } })(cell, agency)
    },
  ],
]

/** A record with its required attributes. */
function plain({ path }: Route): Make | undefined {
  const [, resource] = path.split('/')
  const create = creates.find((write) => write.path === `/${resource}`)
  return create && record(create.path, { [create.as]: least(create.fields) })
}

/** The sample of a vertical, without the records that it names. */
function newBooking({ entity: { sample } }: Importable): Example {
  const { external_id: _, ...row } = sample.rows[0] as Record<string, unknown>
  const passengers = (row.passengers as object[] | undefined)?.map((passenger) => ({
    ...passenger,
    ticket_number: null,
  }))
  return { body: { booking: { ...row, ...(passengers && { passengers }) } } }
}

/** Something that the route does when it is asked by a key of the agency that may. */
export async function exampleOf(route: Route, cell: TestCell, agency: Agency): Promise<Example> {
  const make = EXAMPLES.find(([begins]) => route.path.startsWith(begins))?.[1] ?? plain(route)
  const vertical = entities.find(({ entity }) => route.path === `/bookings/${entity.key}`)
  if (vertical) return newBooking(vertical)
  const { body, ...example } = (await make?.(cell, agency)) ?? { body: importables[0]?.entity.sample }
  return { ...example, ...(route.takes.body && { body }) }
}
