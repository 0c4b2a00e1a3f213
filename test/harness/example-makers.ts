import { lockAccount } from '../../src/features/accounts/account-row.store.ts'
import { insertSeat } from '../../src/features/accounts/accounts.store.ts'
import { createRole } from '../../src/features/accounts/commands/edit-role.ts'
import { createBranch } from '../../src/features/accounts/commands/save-branch.ts'
import { createCompany } from '../../src/features/accounts/commands/save-company.ts'
import { SERVER_OPERATOR } from '../../src/features/accounts/commands/seat-rules.ts'
import { findDesk } from '../../src/features/accounts/reads/find-desk.ts'
import { importBilling } from '../../src/features/bsp/commands/import-billing.ts'
import { wholeTemplate } from '../../src/features/communications/reads/template-rows.ts'
import { fileBooking } from '../../src/features/filing/commands/file-booking.ts'
import { notify } from '../../src/features/notifications/commands/notify.ts'
import { createReferral } from '../../src/features/referrals/commands/create-referral.ts'
import { linkIdentity } from '../../src/features/sign-in/oidc/commands/link-identity.ts'
import { createProvider } from '../../src/features/sign-in/oidc/commands/save-provider.ts'
import { type Agency, importRows, OPERATOR } from './agency.ts'
import { airFile } from './air.ts'
import type { Call, TestCell } from './cell.ts'
import { signInAs } from './console.ts'
import { ask } from './sql.ts'
import { tripsOf } from './trips.ts'
import { undeclared } from './undeclared.ts'

/** The arguments of a route. */
export type Example = Pick<Call, 'body' | 'raw' | 'headers'> & {
  readonly params?: Readonly<Record<string, string>>
  /** Of a deletion that needs one, with its question mark. */
  readonly query?: string
}
export type Make = (cell: TestCell, agency: Agency) => Promise<Example>

export async function create(cell: TestCell, { key }: Agency, path: string, body: object): Promise<string> {
  const answer = await cell.call('POST', path, { key, body })
  if (answer.status !== 201)
    throw new Error(`POST ${path} answered ${answer.status}: ${answer.text.slice(0, 500)} ${EXAMPLE_HINT}`)
  return (answer.body as { data: { id: string } }).data.id
}
/** A record of its own for each call, since some of them end it. */
export const record =
  (path: string, body: object): Make =>
  async (cell, agency) => ({ params: { id: await create(cell, agency, path, body) }, body })

export const customer = { customer: { name: 'Ayşe Yılmaz' } }
export const note = { note: { body: 'Prefers window seats.' } }
export const lead = { lead: { name: 'Ali Can' } }

let stays = 0
/** A stay that is not invoiced, which somebody has read. */
export function booking(change: object): Make {
  return async (cell, { key }) => {
    stays += 1
    const row = { external_id: `example ${stays}`, check_in_on: '2026-07-10', check_out_on: '2026-07-14' }
    const { rows } = await importRows(cell, key, 'hotel_stays', [row])
    return { params: { id: String(rows[0]?.id) }, body: { version: 1, ...change } }
  }
}

/** A key of a role that all who manage keys may give. */
export function apiKey(body: object): Make {
  return async (_, agency) => ({ params: { id: (await agency.makeKey({ role: 'viewer' })).id }, body })
}

const BON_VOYAGE = { kind: 'bon_voyage', locale: 'en' } as const
/** A template about a trip. */
export function template(bodyOf: (cell: TestCell, agency: Agency) => Promise<object>): Make {
  return async (cell, agency) => ({ params: BON_VOYAGE, body: await bodyOf(cell, agency) })
}
/** Another text for it, which has a version of its own each time. */
export async function savedVersion({ deps }: TestCell, { number }: Agency): Promise<object> {
  const { version } = await deps.db.inAccount(number, (tx) => wholeTemplate(tx, BON_VOYAGE))
  return { version, subject: `Have a good trip ${serial++}`, body: 'Bye, {{customer.name}}' }
}

/** A sign-in provider that was not asked whether it is one. */
export async function provider(
  { deps }: TestCell,
  { number }: Agency,
): Promise<{ params: { id: string }; body: object }> {
  const secret = deps.providerSecrets.seal('secret')
  const named = { name: 'Issuer', issuer: 'https://issuer.example', clientId: 'backdesk' }
  const given = { ...named, secret, active: true, countsAsSecondFactor: true }
  await deps.db.askSystem('a test makes room for a provider', deleteProviders, { account: number })
  const id = await deps.db.inAccount(number, (tx) => createProvider(tx, given), OPERATOR)
  return { params: { id }, body: { version: 1, name: 'Renamed' } }
}

/** An identity of the owner. */
export async function identity(cell: TestCell, agency: Agency): Promise<Example> {
  const { params } = await provider(cell, agency)
  const of = { seat: agency.owner.id, provider: params.id, subject: 'owner' }
  await cell.deps.db.inAccount(agency.number, (tx) => linkIdentity(tx, of, '127.0.0.1'), OPERATOR)
  const [found] = await ask<{ id: string }>(cell, 'select id from seat_identities where provider_id = $1', [params.id])
  return { params: { id: found?.id ?? 'none' } }
}

/** An invoice of a stay, and a payment of a part. */
export async function document(cell: TestCell, agency: Agency): Promise<Example> {
  const external_id = `I${serial++}`
  await importRows(cell, agency.key, 'customers', [{ external_id, name: 'Ayşe' }])
  const stay = { external_id, customer_external_id: external_id, check_in_on: '2031-05-10', check_out_on: '2031-05-11' }
  const sold = { status: 'confirmed', invoice_date: '2026-05-01', sell_lines: [{ kind: 'room_rate', amount: '100' }] }
  const { rows } = await importRows(cell, agency.key, 'hotel_stays', [{ ...stay, ...sold }])
  const of = 'select id from customer_invoices where booking_id = $1'
  const [found] = await ask<{ id: string }>(cell, of, [rows[0]?.id])
  return { params: { id: found?.id ?? 'none' }, body: { amount: '10' } }
}
export const billingOf = (ticket: string) => `ticket_number,gross,currency,issued_on\n${ticket},100.00,TRY,2026-03-02\n`
export async function billing({ deps }: TestCell, { number }: Agency): Promise<string> {
  const csv = { map: new Map<string, string>(), currency: null, periodOn: null }
  const bytes = Buffer.from(billingOf(`235${serial++}`))
  return (await importBilling(deps.db, number, { company: null, bytes, filename: 'billing.csv', csv })).id
}

/** A further company, and a branch of the default one. */
export function company(bodyOf: (agency: Agency) => object): Make {
  return async ({ deps }, agency) => {
    const given = { name: `Tours ${serial++}`, tax_country: 'TR', currency: 'TRY' }
    const id = await deps.db.inAccount(agency.number, (tx) => createCompany(tx, given))
    return { params: { id }, body: bodyOf(agency) }
  }
}
export function branch(bodyOf: (agency: Agency) => object): Make {
  return async ({ deps }, agency) => {
    const given = { name: `Branch ${serial++}` }
    const id = await deps.db.inAccount(agency.number, (tx) => createBranch(tx, agency.company.id, given))
    return { params: { id }, body: bodyOf(agency) }
  }
}
export async function versionOfAgency(
  { deps }: TestCell,
  { number }: Agency,
): Promise<{ version: number | undefined }> {
  const account = await deps.db.inAccount(number, (tx) => tx.one(lockAccount, {}))
  return { version: account?.version }
}

/** A role that no seat has. */
export function ownRole(body: object): Make {
  return async ({ deps }, { number }) => {
    const name = `desk_${serial++}`
    await deps.db.inAccount(number, (tx) => createRole(tx, SERVER_OPERATOR, name, []))
    return { params: { name }, body }
  }
}

/** A seat without a session, of a role that everybody may give. */
export function person(bodyOf: (agency: Agency) => object): Make {
  return async ({ deps }, agency) => {
    const email = `viewer-${crypto.randomUUID()}@agency.example`
    const seat = { name: 'Viewer', email, role: 'viewer', branchId: null }
    const id = await deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
    return { params: { id }, body: bodyOf(agency) }
  }
}

/** Told to the owner; its id is that of the newest. */
export async function notification({ call, deps }: TestCell, { number, owner, key }: Agency): Promise<Example> {
  const about = { subjectType: 'Task', subjectId: owner.id, subjectLabel: 'Call', body: null }
  await deps.db.inAccount(number, async (tx) =>
    notify(tx, { seat: owner.id, kind: 'task_due', title: 'Task due: Call', priority: 'normal', ...about }),
  )
  const { body } = await call('GET', '/notifications?limit=1', { key })
  return { params: { id: (body as { data: { id: string }[] }).data[0]?.id ?? 'none' } }
}

/** Of one day, with a segment and a link. */
export async function trip(cell: TestCell, agency: Agency): Promise<Example> {
  const trips = tripsOf(() => cell)
  const id = await trips.make(agency)
  await trips.day(agency, id)
  const segment_id = await trips.segment(agency, id, 1)
  const body = { share_link: { audience: 'traveler' } }
  const link_id = await create(cell, agency, `/trips/${id}/share_links`, body)
  return { params: { id, day_number: '1', segment_id, link_id }, body }
}

type Ids = Readonly<Record<string, string>>
/** A day, a segment or a traveller of a trip, as it was made. */
export function partOfTrip(body: object | ((ids: Ids) => object)): Make {
  return async (cell, agency) => {
    const { params } = await trip(cell, agency)
    const [part] = await ask<Ids>(
      cell,
      `select d.id as day_id, x.id as traveler_id from trip_days d join trip_travelers x using (account_id, trip_id)
       where trip_id = $1`,
      [params?.id],
    )
    const ids = { ...params, ...part }
    return { params: ids, query: '?version=1', body: typeof body === 'function' ? body(ids) : body }
  }
}

/** A booking in a trip. */
export async function filedBooking(cell: TestCell, agency: Agency): Promise<Example> {
  const { params } = await trip(cell, agency)
  const row = { external_id: crypto.randomUUID(), check_in_on: '2031-05-10', check_out_on: '2031-05-11' }
  const { rows } = await importRows(cell, agency.key, 'hotel_stays', [row])
  const booking_id = String(rows[0]?.id)
  await cell.deps.db.inAccount(agency.number, (tx) => fileBooking(tx, params?.id ?? '', booking_id))
  return { params: { ...params, booking_id }, body: { booking_id } }
}

export async function referral({ deps }: TestCell, { number }: Agency): Promise<string> {
  const nothing = { label: 'Autumn', customer: null, trip: null, company: null, seat: null }
  const made = await deps.db.inAccount(number, async (tx) => createReferral(tx, await findDesk(tx, null), nothing))
  return made.id
}

/** Of a trip's customer, who has not answered yet. */
export async function survey(cell: TestCell, agency: Agency): Promise<Example> {
  const { params } = await trip(cell, agency)
  const [made] = await ask<{ id: string }>(
    cell,
    `insert into surveys (account_id, trip_id, customer_id, reminder_due_at, next_attempt_at)
     select account_id, trip_id, customer_id, now(), now() from trip_customers where trip_id = $1 returning id`,
    [params?.id],
  )
  return { params: { id: made?.id ?? 'none' }, body: { gesture: { description: 'Champagne' } } }
}

/** A change that was just made, by a seat without a passkey, since a link does not sign in one that has it. */
export async function undone(cell: TestCell, agency: Agency): Promise<Example> {
  const { params } = await trip(cell, agency)
  const seat = { name: 'Editor', email: `editor-${crypto.randomUUID()}@agency.example`, role: 'owner', branchId: null }
  const id = await cell.deps.db.asSystem('a test makes a seat', (tx) => insertSeat(tx, agency.number, seat))
  const session = await signInAs(cell, agency.number, id)
  const path = `/app/v1/trips/${params?.id}/itinerary/days`
  const { body } = await cell.call('POST', path, { session, body: {} })
  return { ...(params && { params }), body: { token: (body as { undo: { token: string } }).undo.token } }
}

/** Of the owner; nothing can sign with it. */
export async function ownPasskey(cell: TestCell, { number, owner }: Agency): Promise<Example> {
  const [made] = await ask<{ id: string }>(
    cell,
    `insert into passkeys (account_id, seat_id, name, credential_id, public_key, counter, transports)
     values ($1, $2, 'Laptop', $3, '', 0, '{}') returning id`,
    [number, owner.id, Buffer.from(crypto.randomUUID())],
  )
  return { params: { id: String(made?.id) }, body: { version: 1, name: 'Phone' } }
}

/** The newest one that was logged. */
export async function loggedRequest({ call, deps, connection }: TestCell, { key, number }: Agency): Promise<Example> {
  await call('GET', '/me', { key })
  await deps.requests.flush()
  const [found] = await ask<{ id: string }>(
    { connection },
    'select id from request_log where account_id = $1 order by id desc limit 1',
    [number],
  )
  return { params: { id: found?.id ?? 'none' } }
}

let serial = 2_600_000_000
/** A number that no other example has. */
export const nextSerial = (): number => serial++
/** A new file; the id is that of another one. */
export async function ticketFile({ call }: TestCell, { key }: Agency): Promise<Example> {
  const body = () => ({ content: Buffer.from(airFile({ tickets: [String(serial++)] })).toString('base64') })
  const made = await call('POST', '/ticket_imports', { key, body: body() })
  return { params: { id: (made.body as { id: string }).id }, body: body() }
}

const deleteAll = undeclared<{ account: number }, never>(
  'update webhooks set deleted_at = now() where account_id = $account and deleted_at is null',
)
const deleteProviders = undeclared<{ account: number }, never>(
  'delete from sign_in_providers where account_id = $account',
)
export const endAll = undeclared<{ account: number }, never>(`
  update webhook_deliveries set status = 'failed', finished_at = now() where account_id = $account and status = 'pending'`)

/** The only one of the account, which may not have many. */
export async function webhook(cell: TestCell, { key, number }: Agency) {
  await cell.deps.db.askSystem('a test makes room for a webhook', deleteAll, { account: number })
  const body = { url: 'https://8.8.8.8/hook' }
  const answer = await cell.call('POST', '/webhooks', { key, body })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`)
  return { params: { id: (answer.body as { id: string }).id }, body }
}

/** The usual reason why a new route does not answer as declared; for the messages of tests. */
export const EXAMPLE_HINT =
  'A route that needs other records or another body needs an entry in EXAMPLES of test/harness/examples.ts'
