import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withClient } from '../../src/platform/db/client.ts'
import { importRows, makeAgency } from '../harness/agency.ts'
import { type Lead, type LeadAnswer, type Page, withLeads } from '../harness/leads.ts'
import { ask } from '../harness/sql.ts'

type Json = Record<string, unknown>
const OPEN = ['inbox', 'qualified', 'nurturing', 'proposal']
const STAGES = [...OPEN, 'won', 'lost']
const { the, call, make, patch, move, convert, page } = withLeads()
const read = async (id: string, key?: string) => (await call('GET', `/leads/${id}`, undefined, key)).data
const names = async (query: string, key: string) => (await page(query, key)).data.map(({ name }) => name)

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
      assigned_to_id: the.agency.advisor,
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
      { ...expected, stage: 'inbox', customer_id: null, trip_id: null, assigned_to: { id: the.agency.advisor } },
    ])
    expect(made.data.history).toMatchObject([
      { from: null, to: 'inbox', actor: { id: the.agency.owner.id }, reason: null },
    ])
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
    const other = await makeAgency(the.cell)
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
      for (const refusal of [
        await call('POST', '/leads', { lead: { name: 'X', ...lead } }),
        await patch(gone.id, lead),
      ])
        expect([at, refusal.status, refusal.code, Object.keys(refusal.details)]).toEqual([
          at,
          422,
          'validation_failed',
          [at],
        ])
    }
    const { details } = await patch(gone.id, { estimated_value: '1,5' }) // where no separator can be named
    expect(details.estimated_value).toEqual([expect.not.stringContaining('decimal_separator')])
    expect((await patch(gone.id, { estimated_value: '1.234' })).data).toMatchObject({ estimated_value: '1.23' })
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
    const own = await makeAgency(the.cell)
    await make({ source: 'Fuar Standı' }, own.key)
    expect((await make({ source: 'FUAR standı' }, own.key)).source).toBe('fuar_standi')
    await patch((await make({}, own.key)).id, { source: 'Kartvizit' }, own.key)
    expect(
      await ask(the.cell, `select key, label from terms where account_id = $1 order by key`, [own.number]),
    ).toEqual([
      { key: 'fuar_standi', label: 'Fuar Standı' },
      { key: 'kartvizit', label: 'Kartvizit' },
    ])
    expect(await names(`source=${encodeURIComponent('Fuar Standı')}`, own.key)).toHaveLength(2)
  })
  it('notifies a new assignee once, without the author; the label has no name', async () => {
    const notificationsOf = (id: string) =>
      ask(
        the.cell,
        `select seat_id, subject_label, actor_id from notifications where kind = 'lead_assigned' and subject_id = $1`,
        [id],
      )
    const lead = await make({ assigned_to_id: the.agency.owner.id, destinations: ['Roma'] })
    expect(await notificationsOf(lead.id)).toEqual([])
    await patch(lead.id, { assigned_to_id: the.agency.advisor })
    await patch(lead.id, { assigned_to_id: the.agency.advisor, name: 'Other' })
    expect(await notificationsOf(lead.id)).toEqual([
      { seat_id: the.agency.advisor, subject_label: 'Roma', actor_id: the.agency.owner.id },
    ])
  })
})

describe('the stages of a lead', () => {
  const free = (from: string, to: string) =>
    from === 'lost' ? OPEN.includes(to) : from === 'won' ? to === 'proposal' : true
  const pairs = STAGES.flatMap((from) => STAGES.map((to) => [from, to] as const))

  it.each(pairs)('%s → %s is allowed as specified, and recorded in the history', async (from, to) => {
    const lead = await make({ stage: from })
    const moved = await move(lead.id, { stage: to, reason: 'price', notes: 'Why.' })
    const after = await read(lead.id)
    if (from === to) {
      expect([moved.status, after]).toEqual([200, lead])
    } else if (!free(from, to)) {
      expect([moved.status, moved.code, Object.keys(moved.details)]).toEqual([422, 'validation_failed', ['stage']])
      expect(after).toEqual(lead)
    } else {
      const reason = to === 'lost' ? 'price' : null
      expect([moved.status, moved.data]).toEqual([200, after])
      expect(after).toMatchObject({ stage: to, lost_reason: reason, lost_notes: reason && 'Why.' })
      expect(after.history.slice(1)).toMatchObject([
        { from, to, reason, notes: 'Why.', actor: { id: the.agency.owner.id } },
      ])
      expect(after.first_responded_at === null).toBe(from !== 'inbox')
    }
  })
  it.each(pairs)('a converted lead that was %s does not move to %s', async (from, to) => {
    const lead = await make({ stage: from })
    await convert(lead.id)
    const before = await read(lead.id)
    for (const refusal of [
      await move(lead.id, { stage: to, reason: 'price' }),
      await patch(lead.id, { name: 'Other' }),
    ])
      expect([refusal.status, refusal.code]).toEqual([422, 'lead_converted'])
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
    expect((await move(the.agency.advisor, { stage: 'won' })).status).toBe(404)
  })
  it('of an import have no author; a row without a change records none', async () => {
    const own = await makeAgency(the.cell)
    const row = { external_id: 'L', name: 'Deniz' }
    const steps = [{}, { stage: 'proposal' }, { stage: 'proposal', party_size: 3 }, { stage: 'lost' }]
    for (const more of steps) await importRows(the.cell, own.key, 'leads', [{ ...row, ...more }])
    await importRows(the.cell, own.key, 'leads', [{ ...row, stage: 'won' }], {}, true)
    const [lead] = (await page('', own.key)).data
    expect((await read((lead as Lead).id, own.key)).history.map(({ from, to, actor }) => [from, to, actor])).toEqual([
      [null, 'inbox', null],
      ['inbox', 'proposal', null],
      ['proposal', 'lost', null],
    ])
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
    const own = await makeAgency(the.cell)
    const all = Array.from({ length: count }, (_, at) => `L${at}`)
    await importRows(
      the.cell,
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
          const changing: Promise<LeadAnswer>[] = []
          const seen = await walk(own.key, `limit=${limit}`, async (at) => {
            for (const name of changes[at] ?? []) {
              touched.add(name)
              const change = { message: `${at} ${Math.random()}` } // another than the last, so that it is one
              changing.push(patch(ids.get(name) as string, change, own.key))
            }
            if (at % 2 === 0) await Promise.all(changing) // otherwise the next page is read while they continue
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
    const own = await makeAgency(the.cell)
    for (const stage of STAGES) await make({ name: stage, stage }, own.key)
    await make(
      { name: 'Işıl ÇAĞLAR', email: 'isil_100%@example.com', assigned_to_id: own.owner.id, source: 'fair' },
      own.key,
    )
    const old = await make({ name: 'Old', assigned_to_id: own.advisor }, own.key)
    const oldLost = await make({ name: 'Old lost', stage: 'lost' }, own.key)
    await withClient(the.cell.connection, async (client) => {
      await client.query('alter table leads disable trigger stamp') // which records the current time as its last change
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
      expect([query, (await the.cell.call('GET', `/leads?${query}`, { key: own.key })).status]).toEqual([query, 422])
  })
  it('hides money and personal data from roles without the policy, and does not search them', async () => {
    const own = await makeAgency(the.cell)
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
    const own = await makeAgency(the.cell)
    const lead = await make({ email: 'vip@example.com' }, own.key)
    const { data } = await convert(lead.id, undefined, own.key)
    await call('PATCH', `/customers/${data.customer.id}`, { customer: { tags: ['secret'] } }, own.key)
    await ask(the.cell, `insert into restricted_tags (account_id, name) values ($1, 'secret')`, [own.number])
    await ask(
      the.cell,
      `with known as (insert into travelers (account_id, customer_id, first_name) values ($1::integer, $3::uuid, 'Companion') returning id)
       insert into trip_travelers (account_id, trip_id, traveler_id, customer_id, name, position)
       select $1, $2::uuid, id, null::uuid, null::text, 2 from known
       union all select $1, $2, null, $3, 'Alias', 3 union all select $1, $2, null, null, 'Guest', 4`,
      [own.number, data.trip.id, data.customer.id],
    )
    const { key } = await own.makeKey({ role: 'admin' })
    const again = (await convert(lead.id, undefined, key)).data
    expect([again.lead.name, again.customer.name, (again.trip.primary_customer as Json).name]).toEqual([
      null,
      null,
      null,
    ])
    const travelers = (trip: Json) => (trip.travelers as Json[]).map(({ name }) => name)
    expect(travelers(again.trip)).toEqual([null, null, null, 'Guest'])
    expect(travelers((await convert(lead.id, undefined, own.key)).data.trip)).toEqual([
      'Deniz Aksoy',
      'Companion',
      'Alias',
      'Guest',
    ])
    expect([await names('', key), await names('q=vip', key), await names('q=vip', own.key)]).toEqual([
      [null],
      [],
      ['Deniz Aksoy'],
    ])
  })
})
