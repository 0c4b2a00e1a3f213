import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { hiddenForm } from '../../src/platform/http/hide-sealed.ts'
import { runsOf } from '../fuzz/settings.ts'
import { importRows } from '../harness/agency.ts'
import { bookingDesk, bookingKinds, type ShownBooking } from '../harness/bookings.ts'
import { withRecords } from '../harness/records.ts'
import { restrictTagOf } from '../harness/settings.ts'
import { ask } from '../harness/sql.ts'

/** A session reads identity numbers hidden. What it sends back as it read it stands for the stored number. */
const { the, next } = withRecords()
let desk: Awaited<ReturnType<typeof bookingDesk>>
beforeAll(async () => {
  const departure = { external_id: 'R0', title: 'A', starts_on: '2026-08-01', ends_on: '2026-08-04', max_capacity: 900 }
  await importRows(the.cell, the.agency.key, 'tour_departures', [departure])
  desk = await bookingDesk(the.cell, the.agency)
})

type Person = Record<string, unknown>
type Row = Record<string, unknown>
const NUMBERS = ['passport_number', 'national_id'] as const
const KINDS = bookingKinds.flatMap(({ entity }) => {
  const list = Object.entries(entity.fields).find(([, { items = {} }]) => 'passport_number' in items)
  return list ? [{ key: entity.key, list: list[0], sample: entity.sample.rows[0] as Row }] : []
})

/** Numbers of which some have the same hidden form. */
const number = fc.constantFrom('U1234567', 'V7654567', 'W7654567', '12', 'A😀😀😀😀', 'B"\\x"\\', null)
const person = fc.record({
  first_name: fc.constantFrom('Ali', 'Ayşe', 'Can'),
  last_name: fc.constant('Ak'),
  passport_number: number,
  national_id: number,
})
const people = fc.array(person, { minLength: 1, maxLength: 4 })

/** The numbers of a booking's people as they are, which a key reads. */
async function clear(key: string, list: string, { record }: ShownBooking): Promise<Person[]> {
  const path = `/imports/${key}/records?external_id=${record.external_id}`
  const { body } = await the.cell.call('GET', path, { key: the.agency.key })
  return (body as { data: Record<string, Person[]>[] }).data[0]?.[list] ?? []
}
const numbersOf = (persons: readonly Person[]) => persons.map((one) => NUMBERS.map((name) => one[name] ?? null))
const makeIn = (key: string, list: string, sample: Row, persons: readonly Person[]) => {
  const { external_id: _, ...row } = sample
  const documents = persons.map((one) =>
    list === 'passengers' ? { ...one, ticket_number: `235${2_900_000_000 + Number(next(''))}` } : one,
  )
  const named = 'tour_departure_external_id' in row ? { tour_departure_external_id: 'R0' } : {}
  return desk.make(key, { ...row, ...named, customer_external_id: 'C', status: undefined, [list]: documents })
}

describe.each(KINDS)('the people of a booking of $key', ({ key, list, sample }) => {
  it('are sent back as they were read, and nothing changes', async () => {
    await fc.assert(
      fc.asyncProperty(people, async (persons) => {
        const made = await makeIn(key, list, sample, persons)
        const before = await clear(key, list, made)
        expect(numbersOf(before)).toEqual(numbersOf(persons))
        const { status, body } = await desk.update(made, made.record)
        expect([status, body.details, body.data]).toEqual([200, undefined, made])
        const noted = await desk.update(made, { ...made.record, notes: next('') })
        expect([noted.body.details, noted.body.data.version]).toEqual([undefined, made.version + 1])
        expect(await clear(key, list, made)).toEqual(before)
      }),
      { numRuns: runsOf(4) },
    )
  })
  it('keep their own numbers when their order or names change, or the update is refused', async () => {
    const renamed = fc.array(fc.boolean(), { minLength: 4, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(people, fc.infiniteStream(fc.nat()), renamed, async (persons, order, isRenamed) => {
        const made = await makeIn(key, list, sample, persons)
        const before = await clear(key, list, made)
        const read = made.record[list] as unknown as Person[]
        const places = read.map((_, at) => [order.next().value as number, at] as const)
        const moved = places.toSorted(([one], [two]) => one - two).map(([, at]) => at)
        const sent = moved.map((at, nth) => ({ ...read[at], ...(isRenamed[nth] && { nationality: 'TR' }) }))
        const { status, body } = await desk.update(made, { [list]: sent })
        const after = numbersOf(await clear(key, list, made))
        if (status !== 200) {
          expect([status, body.code, after]).toEqual([422, 'validation_failed', numbersOf(before)])
          return
        }
        const own = moved.map((at) => before[at] as Person)
        const toldApart = new Set(persons.map(({ first_name }) => first_name)).size === persons.length
        if (toldApart || list === 'passengers') expect(after).toEqual(numbersOf(own))
        expect(after.flat().map((one) => one && hiddenForm(String(one)))).toEqual(numbersOf(sent).flat())
      }),
      { numRuns: runsOf(4) },
    )
  })
})

describe('a hidden number', () => {
  const stay = bookingKinds.find(({ entity }) => entity.key === 'hotel_stays')?.entity.sample.rows[0] as Row
  const of = (first_name: string, passport_number: string) => ({ first_name, last_name: 'Ak', passport_number })

  it('is refused where it fits no person, or two', async () => {
    const made = await makeIn('hotel_stays', 'travelers', stay, [of('Ali', 'U1234567'), of('Ali', 'V7654567')])
    const refused = async (travelers: object[]) => {
      const { status, body } = await desk.update(made, { travelers })
      expect([status, Object.keys(body.details ?? {})]).toEqual([422, ['travelers[0].passport_number']])
    }
    await refused([of('Ali', '•••••568'), of('Ali', '•••••567')])
    await refused([of('Ali', '•••••567')]) // one of two
    await refused([of('Zoe', '•••••567'), of('Ali', '•••••567')])
    expect(await desk.read(made.id)).toEqual(made)
  })
  it('of a customer whom the role may not know cannot be guessed', async () => {
    const [customer] = await ask<{ external_id: string }>(
      the.cell,
      `update customers set tags = '{vip}' where account_id = $1 and external_id = 'C' returning external_id`,
      [the.agency.number],
    )
    expect(customer).toBeDefined()
    const made = await makeIn('hotel_stays', 'travelers', stay, [of('Ali', 'U1234567')])
    await restrictTagOf(the.cell, the.agency.number, 'vip')
    const advisor = await bookingDesk(the.cell, the.agency, the.agency.advisor)
    const answers = []
    for (const guess of ['•••••567', '•••••568']) {
      const { status, body } = await advisor.update(made, { travelers: [of('Ali', guess)] })
      answers.push([status, body.details])
    }
    expect(answers[0]?.[0]).toBe(422)
    expect(answers[1]).toEqual(answers[0])
  })
})
