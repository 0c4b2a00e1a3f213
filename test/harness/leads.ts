import { beforeAll } from 'vitest'
import { type Agency, makeAgency } from './agency.ts'
import { startCell, type TestCell, uncounted } from './cell.ts'

type Json = Record<string, unknown>
export type Lead = Json & { id: string; name: string; stage: string; score: number; history: Json[] }
export type LeadAnswer = {
  status: number
  code: string
  details: Record<string, string[]>
  data: Lead & { lead: Lead; customer: Json; trip: Json }
}
export type Page = { data: Lead[]; page: { next_cursor: string | null; has_more: boolean } }

/**
 * For a test file: a cell with an agency (`the.cell` and `the.agency`, once the tests run), and helpers for leads, with
 * the agency's key by default.
 */
export function withLeads() {
  const the = {} as { cell: TestCell; agency: Agency }
  beforeAll(async () => {
    the.cell = await startCell({ deps: { count: uncounted } })
    the.agency = await makeAgency(the.cell)
  })
  async function call(method: string, path: string, body?: object, key = the.agency.key): Promise<LeadAnswer> {
    const answer = await the.cell.call(method, path, { key, ...(body && { body }) })
    return { status: answer.status, ...(answer.body as object | null) } as LeadAnswer
  }
  return {
    the,
    call,
    make: async (lead: object = {}, key?: string): Promise<Lead> =>
      (await call('POST', '/leads', { lead: { name: 'Deniz Aksoy', ...lead } }, key)).data,
    patch: (id: string, lead: object, key?: string) => call('PATCH', `/leads/${id}`, { lead }, key),
    move: (id: string, body: object, key?: string) => call('PATCH', `/leads/${id}/transition`, body, key),
    convert: (id: string, body?: object, key?: string) => call('POST', `/leads/${id}/convert`, body, key),
    page: async (query: string, key: string) => (await the.cell.call('GET', `/leads?${query}`, { key })).body as Page,
  }
}
