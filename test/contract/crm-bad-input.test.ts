import { beforeAll, describe, expect, it } from 'vitest'
import { type Agency, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { PDF } from '../harness/sample-files.ts'
import { undeclared } from '../harness/undeclared.ts'
import { uploaded } from '../harness/upload.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
const ADDRESS_KEYS = 10_000

/** Records of the agency that writes, and of another. */
type World = {
  readonly agency: Agency
  readonly stranger: Agency
  readonly customer: string
  readonly lead: string
  readonly task: string
  readonly gone: string
  readonly theirCustomer: string
  readonly upload: { readonly foreign: string; readonly expired: string }
}
let cell: TestCell
let world: World
const make = async (key: string, path: string, body: object) => {
  const answer = await cell.call('POST', path, { key, body })
  expect(answer.status).toBe(201)
  return (answer.body as { data: { id: string } }).data.id
}
const expire = undeclared<{ account: number }, never>(
  "update files set expires_at = now() - interval '1 second' where account_id = $account::integer",
)
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  const [agency, stranger] = [await makeAgency(cell), await makeAgency(cell)]
  const gone = await make(agency.key, '/customers', { customer: { name: 'Gone' } })
  await cell.call('DELETE', `/customers/${gone}`, { key: agency.key })
  const expired = (await uploaded(cell, agency.key, 'a.pdf', PDF)).signed_id
  await cell.deps.db.askSystem('a test lets time pass', expire, { account: agency.number })
  world = {
    agency,
    stranger,
    customer: await make(agency.key, '/customers', { customer: { name: 'Ayşe Su' } }),
    lead: await make(agency.key, '/leads', { lead: { name: 'Ayşe Su' } }),
    task: await make(agency.key, '/tasks', { task: { subject: 'Call' } }),
    gone,
    theirCustomer: await make(stranger.key, '/customers', { customer: { name: 'Theirs' } }),
    upload: { foreign: (await uploaded(cell, stranger.key, 'a.pdf', PDF)).signed_id, expired },
  }
})

type Write = readonly [method: string, path: string, body: object]
type Case = readonly [what: string, details: readonly string[], write: (of: World) => Write]
const UNKNOWN: readonly (readonly [string, (of: World) => string])[] = [
  ['unknown', () => NOBODY],
  ['no uuid', () => 'x'],
]
const seats = [...UNKNOWN, ["another account's", (of: World) => of.stranger.advisor]] as const
const companies = [...UNKNOWN, ["another account's", (of: World) => of.stranger.company.id]] as const
const customers = [
  ...UNKNOWN,
  ["another account's", (of: World) => of.theirCustomer],
  ['deleted', (of: World) => of.gone],
] as const

const CASES: readonly Case[] = [
  ...seats.flatMap(([who, id]): Case[] => [
    [
      `a new lead for a seat that is ${who}`,
      ['assigned_to_id'],
      (of) => ['POST', '/leads', { lead: { name: 'X', assigned_to_id: id(of) } }],
    ],
    [
      `a lead for a seat that is ${who}`,
      ['assigned_to_id'],
      (of) => ['PATCH', `/leads/${of.lead}`, { lead: { assigned_to_id: id(of) } }],
    ],
    [
      `a new task for a seat that is ${who}`,
      ['assigned_to_id'],
      (of) => ['POST', '/tasks', { task: { subject: 'X', assigned_to_id: id(of) } }],
    ],
    [
      `a task for a seat that is ${who}`,
      ['assigned_to_id'],
      (of) => ['PATCH', `/tasks/${of.task}`, { task: { assigned_to_id: id(of) } }],
    ],
    [
      `a conversion for a seat that is ${who}`,
      ['trip.assigned_to_id'],
      (of) => ['POST', `/leads/${of.lead}/convert`, { trip: { assigned_to_id: id(of) } }],
    ],
  ]),
  ...companies.flatMap(([which, id]): Case[] => [
    [
      `a new customer of a company that is ${which}`,
      ['company_id'],
      (of) => ['POST', '/customers', { customer: { name: 'X', company_id: id(of) } }],
    ],
    [
      `a customer of a company that is ${which}`,
      ['company_id'],
      (of) => ['PATCH', `/customers/${of.customer}`, { customer: { company_id: id(of) } }],
    ],
    [
      `a new lead of a company that is ${which}`,
      ['company_id'],
      (of) => ['POST', '/leads', { lead: { name: 'X', company_id: id(of) } }],
    ],
    [
      `a lead of a company that is ${which}`,
      ['company_id'],
      (of) => ['PATCH', `/leads/${of.lead}`, { lead: { company_id: id(of) } }],
    ],
  ]),
  ...customers.flatMap(([which, id]): Case[] => [
    [
      `a conversion to a customer that is ${which}`,
      ['customer_id'],
      (of) => ['POST', `/leads/${of.lead}/convert`, { customer_id: id(of) }],
    ],
    [
      `a task about a customer that is ${which}`,
      ['taskable_id'],
      (of) => ['PATCH', `/tasks/${of.task}`, { task: { taskable_type: 'Customer', taskable_id: id(of) } }],
    ],
  ]),
  ...customers
    .filter(([which]) => which !== 'no uuid') // which the schema of the body refuses
    .map(
      ([which, id]): Case => [
        `a merge into a customer that is ${which}`,
        ['into_id'],
        (of) => ['POST', `/customers/${of.customer}/merge`, { into_id: id(of) }],
      ],
    ),
  ['a merge into itself', ['into_id'], (of) => ['POST', `/customers/${of.customer}/merge`, { into_id: of.customer }]],
  ...(['Lead', 'Trip', 'Booking', 'Communication'] as const).map(
    (taskable_type): Case => [
      `a task about a ${taskable_type} that is a customer`,
      ['taskable_id'],
      (of) => ['POST', '/tasks', { task: { subject: 'X', taskable_type, taskable_id: of.customer } }],
    ],
  ),
  ...[{ taskable_type: 'Customer' }, { taskable_id: NOBODY }, { taskable_type: 'Customer', taskable_id: null }].flatMap(
    (half): Case[] => [
      [
        `a new task with half a pair, ${JSON.stringify(half)}`,
        ['taskable_type', 'taskable_id'],
        () => ['POST', '/tasks', { task: { subject: 'X', ...half } }],
      ],
      [
        `a task with half a pair, ${JSON.stringify(half)}`,
        ['taskable_type', 'taskable_id'],
        (of) => ['PATCH', `/tasks/${of.task}`, { task: half }],
      ],
    ],
  ),
  ...[{ stage: 'nonesuch' }, { stage: null }, { stage: 7 }, {}].map(
    (move): Case => [
      `a transition ${JSON.stringify(move)}`,
      ['stage'],
      (of) => ['PATCH', `/leads/${of.lead}/transition`, move],
    ],
  ),
  ...[{}, { reason: null }, { reason: ' ' }, { reason: 'nonesuch' }].map(
    (reason): Case => [
      `a transition to lost with ${JSON.stringify(reason)}`,
      ['reason'],
      (of) => ['PATCH', `/leads/${of.lead}/transition`, { stage: 'lost', ...reason }],
    ],
  ),
  [
    'an address of 10,000 keys',
    ['address'],
    (of) => [
      'PATCH',
      `/customers/${of.customer}`,
      { customer: { address: Object.fromEntries(Array.from({ length: ADDRESS_KEYS }, (_, at) => [`key${at}`, at])) } },
    ],
  ],
  [
    'an address of 10,000 keys within',
    ['address'],
    (of) => [
      'PATCH',
      `/customers/${of.customer}`,
      {
        customer: {
          address: { in: Object.fromEntries(Array.from({ length: ADDRESS_KEYS }, (_, at) => [`key${at}`, at])) },
        },
      },
    ],
  ],
  ...(['foreign', 'expired'] as const).map(
    (which): Case => [
      `a note with an upload that is ${which}`,
      ['attachment_ids[0]'],
      (of) => ['POST', `/customers/${of.customer}/notes`, { note: { body: 'X', attachment_ids: [of.upload[which]] } }],
    ],
  ),
]

/** Everything in the agency, unchanged. */
const everything = async ({ agency: { key }, customer, lead, task }: World) => {
  const texts = ['/customers', '/leads', '/tasks', `/customers/${customer}`, `/leads/${lead}`, `/tasks/${task}`]
  const notes = await cell.call('GET', `/customers/${customer}/notes`, { key })
  return [notes.text, ...(await Promise.all(texts.map(async (path) => (await cell.call('GET', path, { key })).text)))]
}

describe('bad input names its attribute and changes nothing', () => {
  it.each(CASES)('%s', async (_, details, write) => {
    const before = await everything(world)
    const [method, path, body] = write(world)
    const answer = await cell.call(method, path, { key: world.agency.key, body })
    const refused = answer.body as { code: string; details?: object }
    const code = details[0] === 'company_id' ? 'unknown_company' : 'validation_failed'
    expect([answer.status, refused.code, Object.keys(refused.details ?? {})]).toEqual([422, code, details])
    expect(await everything(world)).toEqual(before)
  })
  it.each(['1e400', '12345678901234567890', '-9007199254740993', '1e23', '0.1234567890123456789'])(
    'refuses an address with %s, a number that could not be kept as it is',
    async (number) => {
      const { agency, customer } = world
      const raw = `{"customer":{"address":{"of":[{"the":${number}}]}}}`
      const answer = await cell.call('PATCH', `/customers/${customer}`, { key: agency.key, raw })
      const { details = {} } = answer.body as { details?: object }
      expect([answer.status, Object.keys(details)]).toEqual([422, ['address']])
    },
  )
  it('takes an address as it is', async () => {
    const address = {
      city: 'İzmir',
      nested: { floor: -3, at: [41.0082376, 1.5e-10, 123456789012345], notes: ['a', null] },
    }
    const { agency, customer } = world
    const answer = await cell.call('PATCH', `/customers/${customer}`, {
      key: agency.key,
      body: { customer: { address } },
    })
    expect((answer.body as { data: { address: object } }).data.address).toEqual(address)
  })
})
