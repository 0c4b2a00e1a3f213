import { describe, expect, it } from 'vitest'
import { restrictTagOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'
import { outcome, withTripEditors } from '../harness/trip-editing.ts'

const { the, trips, sessionOf } = withTripEditors()
const app = (method: string, path: string, body?: object, session = the.owner) =>
  the.cell.call(method, `/app/v1${path}`, { session, ...(body && { body }) })
const MISSING = '01890000-0000-7000-8000-000000000000'
type Listed = { data: Record<string, never>[]; page: { next_cursor: string | null } }
const list = async (path: string, session = the.owner) => (await app('GET', path, undefined, session)).body as Listed
const fieldsOf = ({ body }: { body: never }) => Object.keys((body as { details: object }).details).toSorted()

/** A survey that was answered. */
async function answered(comment: string): Promise<{ survey: string; trip: string; customer: string }> {
  const customer = await trips.customer(the.agency, { name: 'Zeynep Kaya', tags: ['vip'] })
  const trip = await trips.make(the.agency, {}, customer)
  const [made] = await ask<{ id: string }>(
    the.cell,
    `insert into surveys (account_id, trip_id, customer_id, started_at, completed_at, nps, comment, reminder_due_at, next_attempt_at)
     values ($1, $2, $3, now(), now(), 4, $4, now(), now()) returning id`,
    [the.agency.number, trip, customer, comment],
  )
  return { survey: made?.id ?? 'none', trip, customer }
}

describe('a referral code', () => {
  it('is created, listed, and stopped once', async () => {
    const customer_id = await trips.customer(the.agency, { name: 'Zeynep Kaya' })
    const trip_id = await trips.make(the.agency)
    const referral = { label: 'Autumn', customer_id, trip_id, assigned_to_id: the.agency.advisor }
    const made = await app('POST', '/referrals', { referral })
    const { id, url } = (made.body as { data: { id: string; url: string } }).data
    expect([made.status, made.body]).toMatchObject([
      201,
      { data: { label: 'Autumn', active: true, visits: 0, customer: { name: 'Zeynep Kaya' }, trip: { id: trip_id } } },
    ])
    const visit = async () => (await the.cell.app.inject(new URL(url).pathname)).statusCode
    expect(await visit()).toBe(200)
    for (const _ of [1, 2])
      expect((await app('POST', `/referrals/${id}/stop`)).body).toMatchObject({ data: { id, active: false } })
    expect(await visit()).toBe(404)
    const rows = await ask(the.cell, `select action from audit_log where subject_id = $1 order by created_at`, [id])
    expect(rows).toEqual([{ action: 'referral_code.created' }, { action: 'referral_code.stopped' }])
    expect((await list('/referrals?active=true')).data.map((code) => code.id)).not.toContain(id)
  })
  it('is listed in pages, without names for a role that does not see them', async () => {
    for (let nth = 0; nth < 3; nth++) await app('POST', '/referrals', { referral: { label: `L${nth}` } })
    const customer_id = await trips.customer(the.agency, { name: 'Zeynep Kaya', tags: ['vip'] })
    await app('POST', '/referrals', { referral: { customer_id } })
    await restrictTagOf(the.cell, the.agency.number, 'vip')
    expect((await list('/referrals', the.advisor)).data[0]).toMatchObject({ customer: { id: customer_id, name: null } })
    await restrictTagOf(the.cell, the.agency.number, 'vip', false)
    const first = await list('/referrals?limit=2')
    const next = await list(`/referrals?limit=2&cursor=${first.page.next_cursor}`)
    expect([...first.data, ...next.data].map(({ label }) => label)).toEqual([null, 'L2', 'L1', 'L0'])
  })
  it('is refused with all reasons', async () => {
    const referral = { customer_id: MISSING, trip_id: MISSING, assigned_to_id: MISSING, label: 'Autumn' }
    const refused = await app('POST', '/referrals', { referral })
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['assigned_to_id', 'customer_id', 'trip_id']])
  })
})

describe('a survey', () => {
  it('is listed with its answer, as far as the role sees it', async () => {
    const { survey, trip, customer } = await answered('Too loud')
    const of = async (session: string) => (await list(`/surveys?trip_id=${trip}`, session)).data
    expect(await of(the.owner)).toMatchObject([
      { id: survey, nps: 4, comment: 'Too loud', customer: { id: customer, name: 'Zeynep Kaya' }, trip: { id: trip } },
    ])
    const hidden = { nps: 4, comment: null, customer: { id: customer, name: null } }
    expect(await of(await sessionOf('viewer'))).toMatchObject([hidden])
    await restrictTagOf(the.cell, the.agency.number, 'vip')
    expect(await of(the.advisor)).toMatchObject([hidden])
    await restrictTagOf(the.cell, the.agency.number, 'vip', false)
    expect((await list(`/surveys?completed=false&customer_id=${customer}`)).data).toEqual([])
    expect((await list(`/surveys?completed=true&customer_id=${customer}`)).data).toHaveLength(1)
  })
  it('has an address at which it is answered', async () => {
    const { survey } = await answered('Fine')
    const { url } = ((await app('GET', `/surveys/${survey}/link`)).body as { data: { url: string } }).data
    expect((await the.cell.app.inject(new URL(url).pathname)).statusCode).toBe(200)
    expect((await app('GET', `/surveys/${MISSING}/link`)).status).toBe(404)
  })
})

describe('a gesture', () => {
  it('is recorded by a seat, and its amount shown to roles that see money', async () => {
    const { survey } = await answered('Bad')
    const gesture = { description: 'Champagne', amount: '80', currency: 'EUR' }
    const made = await app('POST', `/surveys/${survey}/gestures`, { gesture }, the.advisor)
    expect([made.status, made.body]).toMatchObject([
      201,
      { data: { ...gesture, amount: '80.00', recorded_by: { name: 'advisor' } } },
    ])
    const [seen] = (await list(`/gestures?survey_id=${survey}`, await sessionOf('viewer'))).data
    expect(seen).toMatchObject({ description: 'Champagne', amount: null, currency: null })
    expect((await list(`/gestures?survey_id=${MISSING}`)).data).toEqual([])
  })
  it('is refused with all reasons', async () => {
    const { survey } = await answered('Bad')
    const refuse = async (gesture: object) => fieldsOf(await app('POST', `/surveys/${survey}/gestures`, { gesture }))
    expect(await refuse({ amount: 'much', currency: 'XYZ', nonesuch: 1 })).toEqual([
      'amount',
      'currency',
      'description',
      'nonesuch',
    ])
    expect(await refuse({ description: 'x', amount: '1' })).toEqual(['amount'])
    expect(outcome(await app('POST', `/surveys/${MISSING}/gestures`, { gesture: { description: 'x' } }))).toEqual([
      404,
      'not_found',
    ])
  })
})
