import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { withClient } from '../../src/platform/db/database.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'

type Json = Record<string, unknown>
type Lead = Json & { id: string; name: string; stage: string; score: number; history: Json[] }
type Said = {
  status: number
  code: string
  details: Record<string, string[]>
  data: Lead & { lead: Lead; customer: Json; trip: Json }
}

const OPEN = ['inbox', 'qualified', 'nurturing', 'proposal']
const STAGES = [...OPEN, 'won', 'lost']
let cell: TestCell
let agency: Agency
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
})

const call = async (method: string, path: string, body?: object, key = agency.key): Promise<Said> => {
  const answer = await cell.call(method, path, { key, ...(body && { body }) })
  return { status: answer.status, ...(answer.body as object | null) } as Said
}
const make = async (lead: object = {}, key = agency.key): Promise<Lead> =>
  (await call('POST', '/leads', { lead: { name: 'Deniz Aksoy', ...lead } }, key)).data
const patch = (id: string, lead: object, key = agency.key) => call('PATCH', `/leads/${id}`, { lead }, key)
const read = async (id: string, key = agency.key) => (await call('GET', `/leads/${id}`, undefined, key)).data
const move = (id: string, body: object, key = agency.key) => call('PATCH', `/leads/${id}/transition`, body, key)
const convert = (id: string, body?: object, key = agency.key) => call('POST', `/leads/${id}/convert`, body, key)
type Page = { data: Lead[]; page: { next_cursor: string | null; has_more: boolean } }
const page = async (query: string, key: string) => (await cell.call('GET', `/leads?${query}`, { key })).body as Page
const names = async (query: string, key: string) => (await page(query, key)).data.map(({ name }) => name)
const ask = (text: string, values: unknown[] = []) =>
  withClient(cell.connection, async (client) => {
    await client.query('set role backdesk_system')
    return (await client.query(text, values)).rows
  })

describe('a lead', () => {
  it('is created, read, and changed by PATCH and PUT alike; absent stays, null empties', async () => {
    const given = {
      email: 'deniz@example.com',
      phone: '+90 533 765 43 21',
      source: 'Referral',
      estimated_value: '85000',
      currency: 'TRY',
      budget_per_person: '21250.5',
      party_size: 4,
      adult_count: 2,
      child_count: 2,
      destinations: ['Roma', 'Floransa', 'Roma'],
      target_departure_on: '2027-05-01',
      target_return_on: '2027-05-08',
      flexible_dates: true,
      occasion: 'anniversary',
      trip_type: 'honeymoon',
      tags: ['vip', 'vip'],
      message: 'We would like to see Rome.',
      notes: 'Called twice.',
      assigned_to_id: agency.advisor,
    }
    const made = await call('POST', '/leads', { lead: { name: 'Deniz Aksoy', ...given } })
    const shown = {
      ...given,
      phone: '+905337654321',
      source: 'referral',
      estimated_value: '85000.00',
      budget_per_person: '21250.50',
      destinations: ['Roma', 'Floransa'],
      tags: ['vip'],
    }
    const { assigned_to_id: _, ...expected } = shown
    expect([made.status, made.data]).toMatchObject([
      201,
      { ...expected, stage: 'inbox', customer_id: null, trip_id: null, assigned_to: { id: agency.advisor } },
    ])
    expect(made.data.history).toMatchObject([{ from: null, to: 'inbox', actor: { id: agency.owner.id }, reason: null }])
    expect(await read(made.data.id)).toEqual(made.data)
    const optional = Object.keys(given)
    const { data: emptied } = await call('PUT', `/leads/${made.data.id}`, {
      lead: Object.fromEntries(optional.map((name) => [name, null])),
    })
    const defaults: Json = { destinations: [], tags: [], flexible_dates: false }
    for (const name of optional.filter((name) => name !== 'assigned_to_id'))
      expect([name, emptied[name]]).toEqual([name, defaults[name] ?? null])
    expect([emptied.assigned_to, emptied.name]).toEqual([null, 'Deniz Aksoy'])
    for (const name of optional) {
      const { data } = await patch(made.data.id, { [name]: given[name as keyof typeof given] })
      const value = name === 'assigned_to_id' ? (data.assigned_to as Json).id : data[name]
      expect([name, value]).toEqual([name, shown[name as keyof typeof shown]])
    }
    expect(await read(made.data.id)).toMatchObject(expected)
  })
  it('is refused with the attribute that does not hold', async () => {
    const other = await makeAgency(cell)
    const gone = await make()
    for (const [lead, at] of [
      [{ name: null }, 'name'],
      [{ email: 'x' }, 'email'],
      [{ estimated_value: 5 }, 'estimated_value'],
      [{ assigned_to_id: other.advisor }, 'assigned_to_id'],
      [{ assigned_to_id: 'x' }, 'assigned_to_id'],
      [{ target_departure_on: '2027-02-30' }, 'target_departure_on'],
      [{ target_departure_on: '2027-02-10', target_return_on: '2027-02-09' }, 'target_return_on'],
      [{ destinations: 'Roma, Paris' }, 'destinations'],
      [{ trip_type: 'x' }, 'trip_type'],
      [{ source: '?!' }, 'source'],
    ] as const) {
      for (const said of [await call('POST', '/leads', { lead: { name: 'X', ...lead } }), await patch(gone.id, lead)])
        expect([at, said.status, said.code, Object.keys(said.details)]).toEqual([at, 422, 'validation_failed', [at]])
    }
    expect((await patch(gone.id, { company_id: other.company.id })).code).toBe('unknown_company')
    expect((await call('POST', '/leads', { lead: { name: 'X', stage: 'x' } })).details).toHaveProperty('stage')
    expect((await patch(other.advisor, { name: 'X' })).status).toBe(404)
  })
  it('takes a stage when it is made, and never by a change', async () => {
    for (const stage of STAGES) {
      const lead = await make({ stage })
      expect([lead.stage, lead.history.map(({ from, to }) => [from, to])]).toEqual([stage, [[null, stage]]])
      expect((await patch(lead.id, { stage: 'inbox', name: 'Other' })).data).toMatchObject({ stage, name: 'Other' })
    }
  })
  it('adds a source that is new to the account’s terms, and finds it by label after', async () => {
    const own = await makeAgency(cell)
    await make({ source: 'Fuar Standı' }, own.key)
    expect((await make({ source: 'FUAR standı' }, own.key)).source).toBe('fuar_standi')
    await patch((await make({}, own.key)).id, { source: 'Kartvizit' }, own.key)
    expect(await ask(`select key, label from terms where account_id = $1 order by key`, [own.number])).toEqual([
      { key: 'fuar_standi', label: 'Fuar Standı' },
      { key: 'kartvizit', label: 'Kartvizit' },
    ])
    expect(await names(`source=${encodeURIComponent('Fuar Standı')}`, own.key)).toHaveLength(2)
  })
  it('tells a new assignee, once, and not who assigned it; the label is no name', async () => {
    const told = (id: string) =>
      ask(
        `select seat_id, subject_label, actor_id from notifications where kind = 'lead_assigned' and subject_id = $1`,
        [id],
      )
    const lead = await make({ assigned_to_id: agency.owner.id, destinations: ['Roma'] })
    expect(await told(lead.id)).toEqual([])
    await patch(lead.id, { assigned_to_id: agency.advisor })
    await patch(lead.id, { assigned_to_id: agency.advisor, name: 'Other' })
    expect(await told(lead.id)).toEqual([{ seat_id: agency.advisor, subject_label: 'Roma', actor_id: agency.owner.id }])
  })
})

describe('the stages of a lead', () => {
  const free = (from: string, to: string) =>
    from === 'lost' ? OPEN.includes(to) : from === 'won' ? to === 'proposal' : true
  const pairs = STAGES.flatMap((from) => STAGES.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s is as the page says, and kept in the history', async (from, to) => {
    const lead = await make({ stage: from })
    const said = await move(lead.id, { stage: to, reason: 'price', notes: 'Why.' })
    const after = await read(lead.id)
    if (from === to) {
      expect([said.status, after]).toEqual([200, lead])
    } else if (!free(from, to)) {
      expect([said.status, said.code, Object.keys(said.details)]).toEqual([422, 'validation_failed', ['stage']])
      expect(after).toEqual(lead)
    } else {
      const reason = to === 'lost' ? 'price' : null
      expect([said.status, said.data]).toEqual([200, after])
      expect(after).toMatchObject({ stage: to, lost_reason: reason, lost_notes: reason && 'Why.' })
      expect(after.history.slice(1)).toMatchObject([
        { from, to, reason, notes: 'Why.', actor: { id: agency.owner.id } },
      ])
      expect(after.first_responded_at === null).toBe(from !== 'inbox')
    }
  })
  it.each(pairs)('a converted lead that was %s does not move to %s', async (from, to) => {
    const lead = await make({ stage: from })
    await convert(lead.id)
    const before = await read(lead.id)
    for (const said of [await move(lead.id, { stage: to, reason: 'price' }), await patch(lead.id, { name: 'Other' })])
      expect([said.status, said.code]).toEqual([422, 'lead_converted'])
    expect(await read(lead.id)).toEqual(before)
  })
  it('are lost for a reason of the list alone, which a way back takes away', async () => {
    const lead = await make()
    for (const body of [{ stage: 'lost' }, { stage: 'lost', reason: 'x' }, { stage: 'lost', reason: null }])
      expect(Object.keys((await move(lead.id, body)).details)).toEqual(['reason'])
    for (const body of [{}, { stage: 'x' }, { stage: null }])
      expect(Object.keys((await move(lead.id, body)).details)).toEqual(['stage'])
    await move(lead.id, { stage: 'lost', reason: 'spam' })
    expect((await move(lead.id, { stage: 'inbox' })).data).toMatchObject({ lost_reason: null, lost_notes: null })
    expect((await move(agency.advisor, { stage: 'won' })).status).toBe(404)
  })
  it('that an import brings are nobody’s moves; a row that changes none leaves none', async () => {
    const own = await makeAgency(cell)
    const row = { external_id: 'L', name: 'Deniz' }
    const steps = [{}, { stage: 'proposal' }, { stage: 'proposal', party_size: 3 }, { stage: 'lost' }]
    for (const more of steps) await importRows(cell, own.key, 'leads', [{ ...row, ...more }])
    await importRows(cell, own.key, 'leads', [{ ...row, stage: 'won' }], {}, true)
    const [lead] = (await page('', own.key)).data
    expect((await read((lead as Lead).id, own.key)).history.map(({ from, to, actor }) => [from, to, actor])).toEqual([
      [null, 'inbox', null],
      ['inbox', 'proposal', null],
      ['proposal', 'lost', null],
    ])
  })
})

describe('the score of a lead', () => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
  const day = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString())
  const people = maybe(fc.integer({ min: 0, max: 100_000 }))
  const amount = maybe(fc.integer({ min: -1_000_000, max: 1_000_000_000 }))
  const lead = fc.record({
    email: maybe(fc.constant('a@example.com')),
    phone: maybe(fc.constant('+905321234567')),
    stage: fc.constantFrom(...STAGES),
    estimated_value: amount,
    budget_per_person: amount,
    party_size: people,
    adult_count: people,
    child_count: people,
    destinations: fc.array(fc.constantFrom('Roma', 'Paris')),
    target_departure_on: maybe(day.map((text) => text.slice(0, 10))),
    created_at: fc.constant('2026-01-01T00:00:00Z'),
    first_responded_at: maybe(
      fc.integer({ min: 0, max: 10_000_000 }).map((s) => new Date(Date.UTC(2026, 0, 1) + s * 1000).toISOString()),
    ),
  })
  const scores = (leads: object[]) =>
    ask(
      `select lead_score(json_populate_record(null::leads, l), '2026-06-01') as score from json_array_elements($1) with ordinality as x(l, n) order by n`,
      [JSON.stringify(leads)],
    ).then((rows) => rows.map(({ score }) => score as number))

  it('is a whole number from 0 to 100, and the same for the same lead and day', () =>
    fc.assert(
      fc.asyncProperty(fc.array(lead, { minLength: 50, maxLength: 200 }), async (leads) => {
        const found = await scores(leads)
        expect(found.filter((score) => !Number.isInteger(score) || score < 0 || score > 100)).toEqual([])
        expect(await scores(leads)).toEqual(found)
      }),
      { numRuns: 20 },
    ))
  it('never falls by what becomes known, and reaches both ends', async () => {
    const least = { stage: 'lost', destinations: [], created_at: '2026-01-01T00:00:00Z' }
    const most = {
      ...least,
      email: 'a',
      phone: '+9',
      stage: 'proposal',
      estimated_value: 1_000_000,
      party_size: 5,
      destinations: ['Roma'],
      target_departure_on: '2026-06-15',
      first_responded_at: '2026-01-01T00:30:00Z',
    }
    expect(await scores([least, most])).toEqual([0, 100])
    const known = [
      'email',
      'phone',
      'estimated_value',
      'party_size',
      'destinations',
      'target_departure_on',
      'first_responded_at',
    ] as const
    const grown = known.map((_, at) => ({
      ...least,
      ...Object.fromEntries(known.slice(0, at + 1).map((name) => [name, most[name]])),
    }))
    const found = await scores(grown)
    expect(found).toEqual([...found].sort((a, b) => a - b))
  })
  it('is reckoned anew by each change, an import’s too', async () => {
    const bare = await make()
    const { data: known } = await patch(bare.id, { email: 'a@example.com', estimated_value: '1000000' })
    expect(known.score).toBe(bare.score + 4 + 4 + 20)
    expect((await move(bare.id, { stage: 'qualified' })).data.score).toBe(known.score + 8 + 15)
    const own = await makeAgency(cell)
    const row = { external_id: 'L', name: 'Deniz' }
    const imported = async (more: object) => {
      await importRows(cell, own.key, 'leads', [{ ...row, ...more }])
      return ((await page('', own.key)).data[0] as Lead).score
    }
    expect([await imported({}), await imported({ party_size: 3, destinations: 'Roma' })]).toEqual([4, 4 + 6 + 4])
  })
})

describe('the list of leads', () => {
  const walk = async (key: string, query: string, between: (page: number) => Promise<unknown> = async () => {}) => {
    const seen: string[] = []
    let cursor: string | null = null
    for (let at = 0; at === 0 || cursor; at++) {
      const { data, page: next }: Page = await page(`${query}${cursor ? `&cursor=${cursor}` : ''}`, key)
      seen.push(...data.map(({ name }) => name))
      cursor = next.next_cursor
      if (cursor) await between(at)
    }
    return seen
  }
  const many = async (count: number) => {
    const own = await makeAgency(cell)
    const all = Array.from({ length: count }, (_, at) => `L${at}`)
    await importRows(
      cell,
      own.key,
      'leads',
      all.map((name) => ({ external_id: name, name })),
    )
    return { own, all }
  }

  it('shows those that changed last first', async () => {
    const { own } = await many(3)
    const made = await make({ name: 'New' }, own.key)
    expect((await names('', own.key))[0]).toBe('New')
    const [oldest] = (await page('', own.key)).data.slice(-1) as [Lead]
    await patch(oldest.id, { party_size: 2 }, own.key)
    expect((await names('', own.key)).slice(0, 2)).toEqual([oldest.name, 'New'])
    await patch(made.id, { name: 'New' }, own.key) // nothing of it changes
    expect((await names('', own.key))[0]).toBe(oldest.name)
  })
  it('walks over all once where nothing changes, whatever the limit', async () => {
    const { own, all } = await many(11)
    for (const limit of [1, 2, 5, 10, 11, 100])
      expect((await walk(own.key, `limit=${limit}`)).sort()).toEqual([...all].sort())
  })
  it('loses none while leads change and come, and shows the untouched ones once', async () => {
    const { own, all } = await many(24)
    const ids = new Map((await page('limit=100', own.key)).data.map(({ name, id }) => [name, id]))
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.uniqueArray(fc.constantFrom(...all), { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
        async (limit, changes) => {
          const touched = new Set<string>()
          const changing: Promise<Said>[] = []
          const seen = await walk(own.key, `limit=${limit}`, async (at) => {
            for (const name of changes[at] ?? []) {
              touched.add(name)
              const change = { message: `${at} ${Math.random()}` } // another than the last, so that it is one
              changing.push(patch(ids.get(name) as string, change, own.key))
            }
            if (at % 2 === 0) await Promise.all(changing) // else the next page is read while they go on
          })
          expect((await Promise.all(changing)).filter(({ status }) => status !== 200)).toEqual([])
          expect(new Set(seen)).toEqual(new Set(all))
          const often = seen.filter((name, at) => seen.indexOf(name) !== at)
          expect(often.filter((name) => !touched.has(name))).toEqual([])
        },
      ),
      { numRuns: 12 },
    )
    const news = await walk(own.key, 'limit=10', (at) =>
      at === 0 ? make({ name: 'Late' }, own.key) : Promise.resolve(),
    )
    expect(news.at(-1)).toBe('Late')
  })
  it('is filtered by stage, source, assignee and scope, and by what `q` finds', async () => {
    const own = await makeAgency(cell)
    for (const stage of STAGES) await make({ name: stage, stage }, own.key)
    await make(
      { name: 'Işıl ÇAĞLAR', email: 'isil_100%@example.com', assigned_to_id: own.owner.id, source: 'fair' },
      own.key,
    )
    const old = await make({ name: 'Old', assigned_to_id: own.advisor }, own.key)
    const oldLost = await make({ name: 'Old lost', stage: 'lost' }, own.key)
    await withClient(cell.connection, async (client) => {
      await client.query('alter table leads disable trigger stamp') // which says that it was touched now
      await client.query('set role backdesk_system')
      const aged = `update leads set updated_at = now() - interval '15 days' where id = any($1)`
      await client.query(aged, [[old.id, oldLost.id]])
      await client.query('reset role')
      await client.query('alter table leads enable trigger stamp')
    })
    const found = async (query: string) => (await names(query, own.key)).sort()
    expect(await found('stage=won')).toEqual(['won'])
    expect(await found('source=Fair')).toEqual(['Işıl ÇAĞLAR'])
    expect(await found(`assigned_to_id=${own.advisor}`)).toEqual(['Old'])
    expect(await found('scope=mine')).toEqual(['Işıl ÇAĞLAR'])
    expect(await found('scope=closed')).toEqual(['Old lost', 'lost', 'won'])
    expect(await found('scope=open')).toEqual([...OPEN, 'Işıl ÇAĞLAR', 'Old'].sort())
    expect(await found('scope=stale')).toEqual(['Old'])
    for (const q of ['isil', 'CAGLAR', 'l_100%', 'ISIL_'])
      expect([q, await found(`q=${encodeURIComponent(q)}`)]).toEqual([q, ['Işıl ÇAĞLAR']])
    expect(await found('scope=open&stage=won')).toEqual([])
    for (const query of ['stage=x', 'scope=x', 'assigned_to_id=x', 'limit=0'])
      expect([query, (await cell.call('GET', `/leads?${query}`, { key: own.key })).status]).toEqual([query, 422])
  })
  it('hides money and personal data from roles that may not see them, and finds nobody by them', async () => {
    const own = await makeAgency(cell)
    const lead = await make(
      {
        email: 'a@example.com',
        phone: '+90 532 123 45 67',
        message: 'M',
        notes: 'N',
        estimated_value: '5',
        budget_per_person: '6',
        currency: 'TRY',
        occasion: 'O',
      },
      own.key,
    )
    await move(lead.id, { stage: 'lost', reason: 'price', notes: 'L' }, own.key)
    const personal = ['name', 'email', 'phone', 'message', 'notes', 'lost_notes']
    const money = ['estimated_value', 'budget_per_person']
    for (const [role, hidden] of [
      ['owner', []],
      ['advisor', []],
      ['marketing', money],
      ['viewer', [...personal, ...money]],
    ] as const) {
      const { key } = await own.makeKey({ role })
      const shown = await read(lead.id, key)
      const nulls = [...personal, ...money].filter((name) => shown[name] === null)
      expect([role, nulls]).toEqual([role, hidden])
      expect(shown.history.at(-1)).toMatchObject({ reason: 'price', notes: role === 'viewer' ? null : 'L' })
      expect([role, (await names('q=deniz', key)).length]).toEqual([role, role === 'viewer' ? 0 : 1])
    }
  })
  it('hides who a lead is that is a customer with a restricted tag, in the list, by itself and from `q`', async () => {
    const own = await makeAgency(cell)
    const lead = await make({ email: 'vip@example.com' }, own.key)
    const { data } = await convert(lead.id, undefined, own.key)
    await call('PATCH', `/customers/${data.customer.id}`, { customer: { tags: ['secret'] } }, own.key)
    await ask(`insert into restricted_tags (account_id, name) values ($1, 'secret')`, [own.number])
    const { key } = await own.makeKey({ role: 'admin' })
    const again = (await convert(lead.id, undefined, key)).data
    expect([again.lead.name, again.customer.name, (again.trip.primary_customer as Json).name]).toEqual([
      null,
      null,
      null,
    ])
    expect([await names('', key), await names('q=vip', key), await names('q=vip', own.key)]).toEqual([
      [null],
      [],
      ['Deniz Aksoy'],
    ])
  })
})

describe('a conversion', () => {
  const count = async (own: Agency) => {
    const [row] = await ask(
      `select (select count(*)::integer from customers where account_id = $1) as customers, (select count(*)::integer from trips where account_id = $1) as trips,
         (select count(*)::integer from lead_moves where account_id = $1 and to_stage = 'won') as wins`,
      [own.number],
    )
    return row
  }

  it('makes a customer and a trip in planning with a day for each date, and moves the lead to won', async () => {
    const own = await makeAgency(cell)
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
    const said = await convert(lead.id, undefined, own.key)
    const { customer, trip } = said.data
    expect([said.status, said.data]).toMatchObject([
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
    expect(said.data.lead.converted_at).not.toBeNull()
    expect(said.data.lead.history.slice(1)).toMatchObject([{ from: 'inbox', to: 'won', actor: { id: own.owner.id } }])
    expect(await ask(`select day_number, date::text from trip_days where trip_id = $1 order by 1`, [trip.id])).toEqual(
      ['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01', '2028-03-02'].map((date, at) => ({
        day_number: at + 1,
        date,
      })),
    )
    const again = await convert(lead.id, { trip: { title: 'Another' } }, own.key)
    expect([again.status, again.data]).toEqual([200, said.data])
    expect(await count(own)).toEqual({ customers: 1, trips: 1, wins: 1 })
  })
  it('takes the trip from the call where it says so, and refuses what does not hold without a trace', async () => {
    const own = await makeAgency(cell)
    const lead = await make(
      { stage: 'lost', target_departure_on: '2028-05-01', target_return_on: '2028-05-03' },
      own.key,
    )
    for (const [body, at] of [
      [{ trip: { assigned_to_id: agency.advisor } }, 'assigned_to_id'],
      [{ trip: { start_date: '2028-05-04' } }, 'end_date'],
      [{ trip: { end_date: '2029-05-03' } }, 'end_date'],
      [{ trip: { start_date: '2028-13-01' } }, 'start_date'],
      [{ customer_id: agency.advisor }, 'customer_id'],
      [{ customer_id: 7 }, 'customer_id'],
    ] as const) {
      const said = await convert(lead.id, body, own.key)
      expect([body, said.status, Object.keys(said.details)]).toEqual([body, 422, [at]])
    }
    expect(await count(own)).toEqual({ customers: 0, trips: 0, wins: 0 })
    const trip = { title: 'Rome', start_date: '2028-05-02', end_date: '2029-05-02', assigned_to_id: own.advisor }
    const said = await convert(lead.id, { trip }, own.key)
    expect([said.status, said.data.trip]).toMatchObject([
      201,
      { title: 'Rome', day_count: 366, assigned_advisor: { id: own.advisor } },
    ])
    expect((await convert(agency.advisor, {}, own.key)).status).toBe(404)
  })
  it('numbers trips without a gap, whatever is taken back between', async () => {
    const own = await makeAgency(cell)
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
    const own = await makeAgency(cell)
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
    const own = await makeAgency(cell)
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
    const own = await makeAgency(cell)
    const customer = async (attributes: object) =>
      (await call('POST', '/customers', { customer: attributes }, own.key)).data.id
    const ids: string[] = []
    for (const attributes of wanted.customers)
      ids.push(await customer({ ...attributes, ...(wanted.elsewhere && { company_id: own.otherCompany }) }))
    if (wanted.deleted) await call('DELETE', `/customers/${ids[0]}`, undefined, own.key)
    await importRows(cell, own.key, 'customers', [{ external_id: 'C', name: 'Imported' }])
    const link = wanted.imported && { customer_external_id: 'C' }
    await importRows(cell, own.key, 'leads', [
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
    const own = await makeAgency(cell)
    const lead = await make({ email: 'd@example.com' }, own.key)
    const { customer, trip } = (await convert(lead.id, undefined, own.key)).data
    const { id } = (await call('POST', '/customers', { customer: { name: 'Survivor' } }, own.key)).data
    const both = 'insert into trip_customers (account_id, trip_id, customer_id) values ($1, $2, $3)'
    await ask(both, [own.number, trip.id, id])
    expect((await call('POST', `/customers/${customer.id}/merge`, { into_id: id }, own.key)).status).toBe(200)
    const survivor = { id, name: 'Survivor' }
    expect((await convert(lead.id, undefined, own.key)).data).toMatchObject({
      lead: { customer_id: id },
      customer: survivor,
      trip: { primary_customer: survivor, customers: [survivor], travelers: [{ customer_id: id }] },
    })
  })
  it('shows each role what it may see', async () => {
    const own = await makeAgency(cell)
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
