import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Field } from '../../src/catalogue/kind.ts'
import type { Fields } from '../../src/catalogue/read-cells.ts'
import { messageAttributes } from '../../src/features/communications/message-attributes.ts'
import { customerAttributes } from '../../src/features/customers/customer-attributes.ts'
import { leadAttributes, newLeadAttributes, transitionAttributes } from '../../src/features/leads/lead-attributes.ts'
import { savedReportAttributes } from '../../src/features/reports/saved/saved-report-attributes.ts'
import { taskAttributes } from '../../src/features/tasks/task-attributes.ts'
import { shareLinkAttributes } from '../../src/features/trip-pages/share-link-attributes.ts'
import {
  changeableAttributes,
  spanAttributes,
  webhookAttributes,
} from '../../src/features/webhooks/webhook-attributes.ts'
import type { Route } from '../../src/platform/http/route.ts'
import { runsOf } from '../fuzz/settings.ts'
import { type Agency, importRows, makeAgency } from '../harness/agency.ts'
import { startCell, type TestCell, uncounted } from '../harness/cell.ts'
import { exampleOf } from '../harness/examples.ts'
import { routes } from '../harness/routes.ts'
import { tripsOf } from '../harness/trips.ts'
import { least } from '../harness/writes.ts'

const NOBODY = '01890000-0000-7000-8000-000000000000'
/** Values that a kind refuses, and unknown references; no bodies that are invalid as a whole. */
const badOf = ({ bad, pg }: Field): unknown[] => [
  ...bad.filter((cell) => !/\\u0000|\\ud800/.test(JSON.stringify(cell) ?? 'undefined')),
  ...(pg === 'uuid' ? [NOBODY] : []),
]
type Bad = Readonly<Record<string, readonly unknown[]>>
const ofFields = (fields: Readonly<Record<string, Field>>, more: Bad = {}): Bad => ({
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, badOf(field)])),
  ...more,
})

let cell: TestCell
let agency: Agency
let ids: { customer: string; supplier: string; lead: string; trip: string; unreachable: string }
beforeAll(async () => {
  cell = await startCell({ deps: { count: uncounted } })
  agency = await makeAgency(cell)
  const make = async (path: string, body: object) =>
    ((await cell.call('POST', path, { key: agency.key, body })).body as { data: { id: string } }).data.id
  const { rows } = await importRows(cell, agency.key, 'suppliers', [{ external_id: 'S', name: 'Hotel' }])
  ids = {
    customer: await make('/customers', { customer: { name: 'Ayşe', email: 'ayse@example.com' } }),
    supplier: String(rows[0]?.id),
    lead: await make('/leads', { lead: { name: 'Ali' } }),
    trip: await tripsOf(() => cell).make(agency),
    unreachable: await make('/customers', { customer: { name: 'Veli' } }),
  }
})

/** A valid write, under the name of its record if it has one, and the invalid values of each attribute. */
type Case = { readonly as?: string; readonly right: () => object; readonly bad: Bad }
const company: Bad = { company_id: [NOBODY, 'x', 7] }
const stranger: Bad = { nonesuch: ['x'], constructor: [1] }
const customer: Case = {
  as: 'customer',
  right: () => ({ name: 'Ayşe' }),
  bad: ofFields(customerAttributes, { ...company, ...stranger }),
}
const lead = { as: 'lead', right: () => ({ name: 'Ali' }) }
const rightTask = {
  as: 'task',
  right: () => ({ subject: 'Call', taskable_type: 'Customer', taskable_id: ids.customer }),
}
const { taskable_type: _, ...others } = taskAttributes
const task: readonly Case[] = [
  { ...rightTask, bad: ofFields(taskAttributes, { ...stranger, taskable_id: ['x', 7] }) },
  { ...rightTask, bad: ofFields(others, { taskable_id: [NOBODY] }) }, // whose type decides where to look
]
const messages = ofFields(messageAttributes, { ...company, ...stranger })
/** Not a list of texts, an empty list, and invalid addresses. */
const unreachable = {
  to_addresses: [7, 'ayse@example.com', [''], ['nobody'], ['ayse@example.com', '12']],
  cc_addresses: [{}, ['nobody']],
}
const rightReport = { as: 'saved_report', right: () => ({ name: 'Sales', preset_key: 'sales_by_customer' }) }
const { preset_key: _preset, ...otherThanPreset } = savedReportAttributes
const report: readonly Case[] = [
  { ...rightReport, bad: ofFields(savedReportAttributes, { ...stranger, schedule_day: ['32', {}] }) },
  {
    ...rightReport,
    bad: ofFields(otherThanPreset, { schedule_day: ['32'], filters: [{ nonesuch: 1 }, { from: 'x', form: 1 }] }),
  }, // whose preset decides the filters
]
const url: Bad = { url: ['x', 7, 'http://127.0.0.1/', 'ftp://example.com'] }
const envelope: Case = {
  right: () => ({ rows: [{ external_id: 'E', name: 'Somebody' }] }),
  bad: {
    ...stranger,
    company_id: [NOBODY, 'x'],
    branch_id: [NOBODY, 'x'],
    rows: [null, [], {}, ['x']],
    source_system: [' ', 7, 'a\u0001'],
    mode: ['later', 7],
    on_conflict: ['replace'],
    decimal_separator: [';'],
  },
}
const CASES: Readonly<Record<string, Case | readonly Case[]>> = {
  'POST /customers': customer,
  'PATCH /customers/:id': customer,
  'POST /customers/:id/merge': {
    right: () => ({ into_id: ids.customer }),
    bad: { ...stranger, into_id: ['x', 7, NOBODY] },
  },
  'POST /leads': { ...lead, bad: ofFields(newLeadAttributes, { ...company, ...stranger }) },
  'PATCH /leads/:id': { ...lead, bad: ofFields(leadAttributes, { ...company, ...stranger }) },
  'PATCH /leads/:id/transition': {
    right: () => ({ stage: 'qualified' }),
    bad: ofFields(transitionAttributes, stranger),
  },
  'POST /leads/:id/convert': {
    right: () => ({}),
    bad: {
      ...stranger,
      customer_id: ['x', 7, NOBODY],
      'trip.title': [7],
      'trip.start_date': ['2026-02-30'],
      'trip.end_date': ['x'],
      'trip.assigned_to_id': ['x', NOBODY],
      'trip.nonesuch': [1],
    },
  },
  'POST /tasks': task,
  'PATCH /tasks/:id': task,
  'POST /trips/:id/share_links': {
    as: 'share_link',
    right: () => ({ audience: 'supplier', supplier_id: ids.supplier }),
    bad: ofFields(shareLinkAttributes, { ...stranger, expires_at: ['x', '2020-01-01T00:00:00Z'] }),
  },
  'POST /communications': [
    { as: 'communication', right: () => ({ channel: 'phone', direction: 'inbound' }), bad: messages },
    { as: 'communication', right: () => ({ channel: 'meeting', customer_id: ids.customer }), bad: messages },
    {
      as: 'communication',
      right: () => ({
        channel: 'email',
        direction: 'outbound',
        customer_id: ids.customer,
        subject: 'X',
        body_plain: 'X',
        body_html: '<p>X</p>',
      }),
      bad: { ...messages, from_address: ['x@'], reply_to: [...(messages.reply_to ?? []), 'nobody'], ...unreachable },
    },
    {
      as: 'communication',
      right: () => ({
        channel: 'email',
        direction: 'outbound',
        customer_id: ids.unreachable,
        to_addresses: ['ayse@example.com'],
        body_plain: 'X',
      }),
      bad: {
        channel: badOf(messageAttributes.channel),
        to_addresses: [...unreachable.to_addresses, [], undefined],
        cc_addresses: unreachable.cc_addresses,
        body_plain: [null, undefined, 7],
      },
    },
  ],
  'POST /webhooks': {
    right: () => ({ url: 'https://8.8.8.8/' }),
    bad: ofFields(webhookAttributes, { ...url, ...stranger }),
  },
  'PATCH /webhooks/:id': {
    right: () => ({ active: true }),
    bad: ofFields(changeableAttributes, { ...url, ...stranger }),
  },
  'POST /webhooks/:id/redeliver': {
    right: () => ({ since: '2026-01-01T00:00:00Z' }),
    bad: ofFields(spanAttributes, stranger),
  },
  'POST /saved_reports': report,
  'PATCH /saved_reports/:id': report,
  'POST /imports/:entity': envelope,
  'POST /imports/:entity/validate': envelope,
  'POST /ticket_imports/:id/reread': { right: () => ({}), bad: { ...stranger, commit: ['yes', 1] } },
  'POST /ticket_imports': {
    right: () => ({ content: 'QQ==' }),
    bad: {
      ...stranger,
      content: ['!', 7, null],
      filename: [7],
      encoding: ['klingon', 7],
      provider: [7],
      format: [{}],
      agent: ['x'],
    },
  },
}

/** The case of a write whose invalid values follow from the kinds of its attributes. */
function caseOf({ takes: { attributes } }: Route): Case | null {
  if (!attributes) return null
  const fields = attributes.fields as Fields
  return { as: attributes.name, right: () => least(fields), bad: ofFields(fields, stranger) }
}

const writes = routes.filter(({ method, takes }) => method !== 'GET' && takes.body)
/** A body of attributes, which may lie within another one. */
function nested(attributes: object): object {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(attributes)) {
    const [outer = '', inner] = name.split('.')
    if (inner === undefined) body[name] = value
    else body[outer] = { ...(body[outer] as object | undefined), [inner]: value }
  }
  return body
}

describe.each(writes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const cases = [CASES[name.replace(/^PUT/, 'PATCH')] ?? caseOf(route) ?? []].flat()
  it('is known to this test', () =>
    expect(cases, `Add '${name}' to CASES in test/contract/every-reason.test.ts`).not.toEqual([]))
  it.each(cases.entries().toArray())('answers any subset of bad attributes with that subset (%i)', async (_, of) => {
    const { params } = await exampleOf(route, cell, agency)
    const path = route.path.replaceAll(/:(\w+)/g, (_, param) => params?.[param] ?? 'customers')
    const subset = fc
      .subarray(Object.keys(of.bad), { minLength: 1 })
      .chain((names) =>
        fc.record(Object.fromEntries(names.map((one) => [one, fc.constantFrom(...(of.bad[one] ?? []))]))),
      )
    await fc.assert(
      fc.asyncProperty(subset, async (bad) => {
        const attributes = nested({ ...of.right(), ...bad })
        const body = of.as ? { [of.as]: attributes } : attributes
        const answer = await cell.call(route.method, path, { key: agency.key, body })
        const { code, details = {} } = answer.body as { code: string; details?: object }
        const refused = new Set(Object.keys(details).map((at) => attributeOf(at, of.bad)))
        expect([answer.status, [...refused].toSorted()]).toEqual([422, Object.keys(bad).toSorted()])
        const codes = new Set(Object.keys(bad).map((one) => CODES.get(one) ?? 'validation_failed'))
        expect(
          Object.values(details)
            .flat()
            .filter((reason) => !SENTENCE.test(String(reason))),
        ).toEqual([])
        expect(code).toBe(codes.size === 1 ? [...codes][0] : 'validation_failed')
      }),
      { numRuns: runsOf(12) },
    )
  })
})
const SENTENCE = /^[A-Z].*[.?]$/s
const CODES = new Map([
  ['company_id', 'unknown_company'],
  ['branch_id', 'unknown_branch'],
])
/** Details name a part of an attribute as `attachment_ids[0]`, or `rows.0`. */
const attributeOf = (at: string, bad: Bad) => (Object.hasOwn(bad, at) ? at : at.replace(/[.[].*$/, ''))
