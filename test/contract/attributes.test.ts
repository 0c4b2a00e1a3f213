import { beforeAll, describe, expect, it } from 'vitest'
import type { Field, ReadContext } from '../../src/catalogue/kind.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { PDF } from '../harness/sample-files.ts'
import { tripsOf } from '../harness/trips.ts'
import { uploaded } from '../harness/upload.ts'
import { changes, creates, isRoute, least, type Write } from '../harness/writes.ts'

type Row = Record<string, unknown> & { id: string }
type Answer = { status: number; code: string; details: Record<string, string[]>; data: Row }

let cell: TestCell
let agency: Agency
let customer: string
let trip: string
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  customer = (await write('POST', '/customers', { customer: { name: 'Ayşe Su' } })).data.id
  trip = await tripsOf(() => cell).make(agency)
})
const write = async (method: string, path: string, body?: object) => {
  const answer = await cell.call(method, path, { key: agency.key, ...(body && { body }) })
  return { status: answer.status, ...(answer.body as object | null) } as Answer
}
const context: ReadContext = { decimalSeparator: null, country: 'TR', currency: 'TRY', timeZone: 'Europe/Istanbul' }

/** For a record that needs one of several attributes: a customer needs an identity, a message a subject. */
const KNOWN_BY: Readonly<Record<string, (name: string) => object>> = {
  '/customers': (name) => (name === 'legal_name' ? { name: 'X' } : { legal_name: 'X' }),
  '/communications': (name) =>
    name === 'direction' || name === 'purpose'
      ? { channel: 'phone', customer_id: customer }
      : { channel: 'phone', direction: 'inbound' }, // any value
}
const needsOf = ({ path, fields }: Write, name: string): object => KNOWN_BY[path]?.(name) ?? least(fields)
/** The paths of the records, of a customer or trip if they belong to one. */
const listOf = (path: string) => path.replace(/\/:\w+$/, '').replace(':id', path.startsWith('/trips') ? trip : customer)

/** Attributes that require a value, or come in pairs. */
const VALUES: Readonly<Record<string, () => Promise<object>>> = {
  assigned_to_id: async () => ({ assigned_to_id: agency.advisor }),
  taskable_type: async () => ({ taskable_type: 'Customer', taskable_id: customer }),
  taskable_id: async () => ({ taskable_type: 'Customer', taskable_id: customer }),
  supplier_id: async () => {
    const made = await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
    return { audience: 'supplier', supplier_id: made.rows[0]?.id }
  },
  customer_id: async () => ({ customer_id: customer }),
  trip_id: async () => ({ trip_id: trip }),
  thread_id: async () => {
    const communication = { channel: 'phone', direction: 'inbound' }
    return { thread_id: (await write('POST', '/communications', { communication })).data.thread_id }
  },
  expires_at: async () => ({ expires_at: '2126-05-01T14:30:00+03:00' }),
  attachment_ids: async () => ({ attachment_ids: [(await uploaded(cell, agency.key, 'a.pdf', PDF)).signed_id] }),
}
/** A write of the attribute, with a value that is not its default. */
const valued = async (name: string, field: Field, fields: Fields): Promise<Record<string, unknown>> => {
  const own = VALUES[name]
  if (own) return Object.fromEntries(Object.entries(await own()).filter(([one]) => one in fields))
  if (field.type === 'boolean') return { [name]: !field.default }
  return {
    [name]: field.enumValues?.find((value) => value !== field.default) ?? field.example,
  }
}
/** The same write, emptied by `nothing`, without what cannot be empty. */
const emptied = ({ fields }: Write, written: object, nothing: unknown) =>
  Object.fromEntries(Object.keys(written).flatMap((name) => (fields[name]?.required ? [] : [[name, nothing]])))

/** The attribute as a record shows it. */
const seen = (row: Row, name: string): unknown => {
  if (name === 'assigned_to_id') return (row.assigned_to as Row | null)?.id ?? null
  if (name === 'attachment_ids') return (row.attachments as Row[]).length
  if (name === 'thread_id') return row.thread_id === row.id ? null : row.thread_id // it begins one
  return name === 'password' ? row.password_protected : row[name]
}
const seenAs = (name: string, field: Field, value: unknown): unknown => {
  if (name === 'attachment_ids') return (value as string[]).length
  if (name === 'password') return true
  return field.type === 'money' ? value : field.read(value, context)
}
const EMPTY: Readonly<Record<string, unknown>> = { attachment_ids: 0, password: false }
const seenEmpty = (name: string, field: Field): unknown => EMPTY[name] ?? field.default ?? null
/** Everything but when it was changed, and the addresses of files, which are new each time. */
const settled = ({ updated_at: _, attachments, ...row }: Row) => ({
  ...row,
  ...(attachments !== undefined && { attachments: (attachments as Row[]).map(({ id }) => id) }),
})
/** Details name a part of an attribute as `attachment_ids[0]`. */
const named = ({ status, code, details }: Answer) => [
  status,
  code,
  [...new Set(Object.keys(details ?? {}).map((at) => at.replace(/\[.*$/, '')))],
]
const refusedFor = (name: string) => [422, 'validation_failed', [name]]
/** Text that no attribute can store makes the body invalid. */
const refusedWith = (name: string, bad: unknown) =>
  /\\u0000|\\ud800/.test(JSON.stringify(bad)) ? [400, 'bad_request', []] : refusedFor(name)
const NOTHING = [null, '', '  ']
/** A blank password is refused, since its sender expects protection. */
const nothingFor = (name: string) => (name === 'password' ? [null] : NOTHING)
/** Also an id that leads nowhere. */
const badOf = ({ bad, pg }: Field) => [...bad, ...(pg === 'uuid' ? ['01890000-0000-7000-8000-000000000000'] : [])]

/** An id that exists is known for every attribute that names a record. */
const hasValue = (name: string, { pg }: Field) => pg !== 'uuid' || name in VALUES
const attributesOf = (writes: readonly Write[]) =>
  writes.flatMap((write) =>
    Object.entries(write.fields).flatMap(([name, field]) =>
      hasValue(name, field) ? [[write.path, name, field, write] as const] : [],
    ),
  )

it('every attribute that names a record has the id of one here', () => {
  const missing = [...creates, ...changes].flatMap(({ path, fields }) =>
    Object.entries(fields).flatMap(([name, field]) => (hasValue(name, field) ? [] : `${name} of ${path}`)),
  )
  expect(missing, 'Add these to VALUES in test/contract/attributes.test.ts').toEqual([])
})

describe.each(attributesOf(creates))('a new record: %s %s', (path, name, field, of) => {
  const make = (more: object) => write('POST', listOf(path), { [of.as]: { ...needsOf(of, name), ...more } })

  if (!field.required)
    it('has its default if absent or emptied, otherwise the given value', async () => {
      expect(seen((await make({})).data, name)).toEqual(seenEmpty(name, field))
      const value = await valued(name, field, of.fields)
      for (const nothing of nothingFor(name)) {
        const made = await make(emptied(of, value, nothing))
        expect([made.status, seen(made.data, name)]).toEqual([201, seenEmpty(name, field)])
      }
      const made = await make(value)
      expect([made.status, seen(made.data, name)]).toEqual([201, seenAs(name, field, value[name])])
    })
  if (field.required)
    it('is refused without it', async () => {
      for (const nothing of [undefined, ...NOTHING])
        expect(named(await make({ [name]: nothing }))).toEqual(refusedFor(name))
    })
  it('is refused with any bad value', async () => {
    const value = await valued(name, field, of.fields)
    for (const bad of badOf(field))
      expect([bad, ...named(await make({ ...value, [name]: bad }))]).toEqual([bad, ...refusedWith(name, bad)])
  })
})

describe.each(attributesOf(changes))('a changed record: %s %s', (path, name, field, of) => {
  const { as } = of
  const create = creates.find((write) => path.startsWith(`${write.path}/:`) && write.as === as) ?? of
  const one = (id: string) => `${listOf(path)}/${id}`
  const make = async (more: object) => {
    const { status, data } = await write('POST', listOf(path), { [as]: { ...needsOf(create, name), ...more } })
    expect(status).toBe(201)
    return data
  }
  const at = async (id: string) => {
    if (isRoute('GET', path)) return (await write('GET', one(id))).data
    const { body } = await cell.call('GET', listOf(path), { key: agency.key })
    return (body as { data: Row[] }).data.find((row) => row.id === id) as Row
  }

  it.each(['PATCH', 'PUT'])('keeps it where %s leaves it out', async (method) => {
    const { id } = await make(await valued(name, field, of.fields))
    const before = await at(id)
    const other = name === 'body' ? {} : as === 'note' ? { body: 'Other' } : { id: 'is ignored' }
    const { status, data } = await write(method, one(id), { [as]: other })
    expect([status, settled(data)]).toEqual([200, { ...settled(before), ...(as === 'note' && other) }])
  })
  if (!field.required && name !== 'attachment_ids')
    it('is emptied to its default', async () => {
      for (const nothing of NOTHING) {
        const value = await valued(name, field, of.fields)
        const { id } = await make(value)
        const { status, data } = await write('PATCH', one(id), { [as]: emptied(of, value, nothing) })
        expect([status, seen(data, name)]).toEqual([200, seenEmpty(name, field)])
        expect(settled(await at(id))).toEqual(settled(data))
      }
    })
  if (field.required)
    it('cannot be emptied', async () => {
      const made = await make({})
      for (const nothing of NOTHING)
        expect(named(await write('PATCH', one(made.id), { [as]: { [name]: nothing } }))).toEqual(refusedFor(name))
      expect(settled(await at(made.id))).toEqual(settled(made))
    })
  it('gets the given value, and the same value again is not a change', async () => {
    const { id } = await make({})
    const value = await valued(name, field, of.fields)
    const set = await write('PATCH', one(id), { [as]: value })
    expect([set.status, seen(set.data, name)]).toEqual([200, seenAs(name, field, value[name])])
    if (name === 'attachment_ids') return
    const again = await write('PATCH', one(id), { [as]: value })
    expect([again.status, again.data.updated_at]).toEqual([200, set.data.updated_at])
  })
  it('is refused with any bad value, and changes nothing', async () => {
    const { id } = await make(await valued(name, field, of.fields))
    const before = await at(id)
    for (const bad of badOf(field)) {
      const valid = { body: 'other', tags: ['other'], name: 'Other' }
      const others = Object.entries(valid).filter(([attribute]) => attribute in of.fields)
      const pair = name.startsWith('taskable') ? await valued(name, field, of.fields) : {}
      const refused = await write('PATCH', one(id), { [as]: { ...Object.fromEntries(others), ...pair, [name]: bad } })
      expect([bad, ...named(refused)]).toEqual([bad, ...refusedWith(name, bad)])
    }
    const after = await at(id)
    expect([settled(after), after.updated_at]).toEqual([settled(before), before.updated_at])
  })
})
