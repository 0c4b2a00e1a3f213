import { describe, expect, it } from 'vitest'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { type Lead, withLeads } from '../harness/leads.ts'
import { ask } from '../harness/sql.ts'

const { the, call, make, convert, page } = withLeads()

describe('a conversion', () => {
  const count = async (own: Agency) => {
    const [row] = await ask<{ customers: number; trips: number; wins: number }>(
      the.cell,
      `select (select count(*)::integer from customers where account_id = $1) as customers, (select count(*)::integer from trips where account_id = $1) as trips,
         (select count(*)::integer from lead_moves where account_id = $1 and to_stage = 'won') as wins`,
      [own.number],
    )
    return row as NonNullable<typeof row>
  }

  it('makes a customer and a trip in planning with a day for each date, and moves the lead to won', async () => {
    const own = await makeAgency(the.cell)
    const lead = await make(
      {
        email: 'd@example.com',
        phone: '+90 533 765 43 21',
        destinations: ['Roma', 'Floransa'],
        target_departure_on: '2028-02-27',
        target_return_on: '2028-03-02',
        assigned_to_id: own.advisor,
        trip_type: 'family',
        currency: 'EUR',
      },
      own.key,
    )
    const refusal = await convert(lead.id, undefined, own.key)
    const { customer, trip } = refusal.data
    expect([refusal.status, refusal.data]).toMatchObject([
      201,
      {
        lead: { stage: 'won', customer_id: customer.id, trip_id: trip.id },
        customer: {
          name: 'Deniz Aksoy',
          first_name: 'Deniz',
          email: 'd@example.com',
          phone: '+905337654321',
          customer_type: 'individual',
          company_id: lead.company_id,
        },
        trip: {
          title: 'Roma, Floransa',
          status: 'planning',
          trip_type: 'family',
          start_date: '2028-02-27',
          end_date: '2028-03-02',
          duration_nights: 4,
          day_count: 5,
          traveler_count: 1,
          primary_currency: 'EUR',
          destinations: ['Roma', 'Floransa'],
          assigned_advisor: { id: own.advisor },
          primary_customer: { id: customer.id, name: 'Deniz Aksoy' },
          travelers: [{ customer_id: customer.id, name: 'Deniz Aksoy', is_lead: true }],
          company_id: lead.company_id,
          account_id: own.account.uuid,
        },
      },
    ])
    expect(refusal.data.lead.converted_at).not.toBeNull()
    expect(refusal.data.lead.history.slice(1)).toMatchObject([
      { from: 'inbox', to: 'won', actor: { id: own.owner.id } },
    ])
    expect(
      await ask(the.cell, `select day_number, date::text from trip_days where trip_id = $1 order by 1`, [trip.id]),
    ).toEqual(
      ['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01', '2028-03-02'].map((date, at) => ({
        day_number: at + 1,
        date,
      })),
    )
    const again = await convert(lead.id, { trip: { title: 'Another' } }, own.key)
    expect([again.status, again.data]).toEqual([200, refusal.data])
    expect(await count(own)).toEqual({ customers: 1, trips: 1, wins: 1 })
  })
  it('takes the trip’s attributes from the call, and refuses invalid ones without a trace', async () => {
    const own = await makeAgency(the.cell)
    const lead = await make(
      { stage: 'lost', target_departure_on: '2028-05-01', target_return_on: '2028-05-03' },
      own.key,
    )
    for (const [body, at] of [
      [{ trip: { assigned_to_id: the.agency.advisor } }, 'trip.assigned_to_id'],
      [{ trip: { start_date: '2028-05-04' } }, 'trip.end_date'],
      [{ trip: { end_date: '2029-05-03' } }, 'trip.end_date'],
      [{ trip: { start_date: '2028-13-01' } }, 'trip.start_date'],
      [{ trip: { title: 7 } }, 'trip.title'],
      [{ customer_id: the.agency.advisor }, 'customer_id'],
      [{ customer_id: 7 }, 'customer_id'],
    ] as const) {
      const refusal = await convert(lead.id, body, own.key)
      expect([body, refusal.status, Object.keys(refusal.details)]).toEqual([body, 422, [at]])
    }
    expect(await count(own)).toEqual({ customers: 0, trips: 0, wins: 0 })
    const trip = { title: 'Rome', start_date: '2028-05-02', end_date: '2029-05-02', assigned_to_id: own.advisor }
    const refusal = await convert(lead.id, { trip }, own.key)
    expect([refusal.status, refusal.data.trip]).toMatchObject([
      201,
      { title: 'Rome', day_count: 366, assigned_advisor: { id: own.advisor } },
    ])
    expect((await convert(the.agency.advisor, {}, own.key)).status).toBe(404)
  })
  it('numbers trips without a gap, whatever is taken back between', async () => {
    const own = await makeAgency(the.cell)
    const numbers: unknown[] = []
    for (let at = 0; at < 3; at++) {
      const lead = await make({}, own.key)
      await convert(lead.id, { trip: { start_date: '2028-05-04', end_date: '2028-05-01' } }, own.key)
      const { trip } = (await convert(lead.id, undefined, own.key)).data
      numbers.push(trip.reference_number)
      expect([trip.title, trip.day_count]).toEqual([trip.reference_number, 0])
    }
    const year = new Date().toLocaleDateString('en', { timeZone: 'Europe/Istanbul', year: 'numeric' })
    expect(numbers).toEqual([1, 2, 3].map((at) => `TRP-${year}-00000${at}`))
  })
  it('happens once when eight ask at the same time', async () => {
    const own = await makeAgency(the.cell)
    for (let round = 0; round < 3; round++) {
      const before = await count(own)
      const lead = await make({ name: `Racer ${round}`, email: `racer${round}@example.com` }, own.key)
      const all = await Promise.all(Array.from({ length: 8 }, () => convert(lead.id, undefined, own.key)))
      expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
      expect(new Set(all.map(({ data }) => JSON.stringify(data))).size).toBe(1)
      expect(await count(own)).toEqual({
        customers: before.customers + 1,
        trips: before.trips + 1,
        wins: before.wins + 1,
      })
    }
  })
  it('of eight leads of one person at the same time makes one customer and eight trips', async () => {
    const own = await makeAgency(the.cell)
    const leads = await Promise.all(Array.from({ length: 8 }, () => make({ email: 'one@example.com' }, own.key)))
    const all = await Promise.all(leads.map(({ id }) => convert(id, undefined, own.key)))
    expect(all.map(({ status }) => status)).toEqual(leads.map(() => 201))
    expect(await count(own)).toEqual({ customers: 1, trips: 8, wins: 8 })
  })
  it.each([
    [
      'the one given, though another has its e-mail',
      { given: true, customers: [{ name: 'Deniz Aksoy', email: 'd@example.com' }], finds: 'given' },
    ],
    [
      'the one that the import named',
      { imported: true, customers: [{ name: 'Deniz Aksoy', email: 'd@example.com' }], finds: 'imported' },
    ],
    [
      'the only one with the e-mail and name',
      { customers: [{ name: 'Deniz Aksoy', email: 'D@example.com' }], finds: 0 },
    ],
    [
      'one whose name has more words, without accents',
      { customers: [{ name: 'aksoy DENİZ Nur', email: 'd@example.com' }], finds: 0 },
    ],
    ['one who has no name', { customers: [{ email: 'd@example.com' }], finds: 0 }],
    [
      'the one whose name agrees',
      {
        customers: [
          { name: 'Mehmet Aksoy', email: 'd@example.com' },
          { name: 'Deniz', email: 'd@example.com' },
        ],
        finds: 1,
      },
    ],
    [
      'a new one where the name is another',
      { customers: [{ name: 'Mehmet Aksoy', email: 'd@example.com' }], finds: 'new' },
    ],
    [
      'a new one where two agree',
      {
        customers: [
          { name: 'Deniz', email: 'd@example.com' },
          { name: 'Aksoy', email: 'd@example.com' },
        ],
        finds: 'new',
      },
    ],
    [
      'a new one where only another company has it',
      { elsewhere: true, customers: [{ name: 'Deniz Aksoy', email: 'd@example.com' }], finds: 'new' },
    ],
    [
      'a new one where it is deleted',
      { deleted: true, customers: [{ name: 'Deniz Aksoy', email: 'd@example.com' }], finds: 'new' },
    ],
  ] as const)('finds %s', async (_, given) => {
    const wanted: {
      given?: true
      imported?: true
      elsewhere?: true
      deleted?: true
      customers: readonly object[]
      finds: string | number
    } = given
    const own = await makeAgency(the.cell)
    const customer = async (attributes: object) =>
      (await call('POST', '/customers', { customer: attributes }, own.key)).data.id
    const ids: string[] = []
    for (const attributes of wanted.customers)
      ids.push(await customer({ ...attributes, ...(wanted.elsewhere && { company_id: own.otherCompany }) }))
    if (wanted.deleted) await call('DELETE', `/customers/${ids[0]}`, undefined, own.key)
    await importRows(the.cell, own.key, 'customers', [{ external_id: 'C', name: 'Imported' }])
    const link = wanted.imported && { customer_external_id: 'C' }
    await importRows(the.cell, own.key, 'leads', [
      { external_id: 'L', name: 'Deniz  Aksoy', email: 'd@example.com', phone: '+90 533 765 43 21', ...link },
    ])
    const [lead] = (await page('', own.key)).data as [Lead]
    expect(lead.customer_id).toBeNull()
    const other = await customer({ name: 'Somebody', phone: '+90 532 000 00 00' })
    const { data } = await convert(lead.id, wanted.given && { customer_id: other }, own.key)
    const { finds } = wanted
    if (finds === 'new') expect([...ids, other]).not.toContain(data.customer.id)
    else if (finds === 'given')
      expect(data.customer).toMatchObject({
        id: other,
        name: 'Somebody',
        email: 'd@example.com',
        phone: '+905320000000',
      })
    else if (finds === 'imported')
      expect(data.customer).toMatchObject({ name: 'Imported', email: 'd@example.com', phone: '+905337654321' })
    else {
      const attributes = wanted.customers[finds as number] as { name?: string }
      expect(data.customer).toMatchObject({
        id: ids[finds as number],
        name: attributes.name ?? 'Deniz  Aksoy',
        phone: '+905337654321',
      })
    }
  })
  it('leads to the survivor once its customer is made one with another, also where both buy the trip', async () => {
    const own = await makeAgency(the.cell)
    const lead = await make({ email: 'd@example.com' }, own.key)
    const { customer, trip } = (await convert(lead.id, undefined, own.key)).data
    const { id } = (await call('POST', '/customers', { customer: { name: 'Survivor' } }, own.key)).data
    const both = 'insert into trip_customers (account_id, trip_id, customer_id) values ($1, $2, $3)'
    await ask(the.cell, both, [own.number, trip.id, id])
    expect((await call('POST', `/customers/${customer.id}/merge`, { into_id: id }, own.key)).status).toBe(200)
    const survivor = { id, name: 'Survivor' }
    expect((await convert(lead.id, undefined, own.key)).data).toMatchObject({
      lead: { customer_id: id },
      customer: survivor,
      trip: { primary_customer: survivor, customers: [survivor], travelers: [{ customer_id: id }] },
    })
  })
  it('shows each role what it may see', async () => {
    const own = await makeAgency(the.cell)
    const lead = await make({ email: 'd@example.com', estimated_value: '5', currency: 'EUR' }, own.key)
    await convert(lead.id, undefined, own.key)
    const { key } = await own.makeKey({ role: 'marketing' })
    expect((await convert(lead.id, undefined, key)).data).toMatchObject({
      lead: { estimated_value: null, name: 'Deniz Aksoy' },
    })
    const viewer = (await own.makeKey({ role: 'viewer' })).key
    expect((await convert(lead.id, undefined, viewer)).status).toBe(403)
  })
})
