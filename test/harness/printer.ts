import { type Agency, makeAgency } from './agency.ts'
import type { TestCell } from './cell.ts'
import type { Shown } from './records.ts'

export type Capture = {
  id: string
  status: string
  provider: string
  format: string
  filename: string | null
  ticket_sale_id: string | null
  error: string | null
  cause: string | null
  code?: string
  document_action: string | null
  ticket_numbers: string[] | null
  duplicate_ticket_numbers: string[] | null
  part: { number: number; of: number } | null
  warnings: { code: string; message: string }[]
  captured_at: string
}
type Passenger = Record<string, unknown> & { ticket_number: string; document_status: string }
export type Sale = Shown & { passengers: Passenger[]; refunds: Record<string, unknown>[] | null } & Record<
    string,
    unknown
  >

export const base64 = (content: string | Uint8Array) => Buffer.from(content as string).toString('base64')
/** Numbers of Turkish Airlines. */
export const numbers = (...serials: string[]) => serials.map((serial) => `235${serial}`)

/** An agency of its own for a test, and short words for its printer. */
export async function withPrinter(cell: TestCell) {
  const agency = await makeAgency(cell)
  const send = (content: string | Uint8Array, more: object = {}, key = agency.key) =>
    cell.call('POST', '/ticket_imports', { key, body: { content: base64(content), ...more } })
  const capture = async (content: string | Uint8Array, more: object = {}) => {
    const { status, body } = await send(content, more)
    return { ...(body as Capture), answered: status }
  }
  const sale = async (id: string | null) => {
    const { items } = await feed(cell, agency)
    return items.find((each) => each.id === id) as Sale
  }
  const captures = async () =>
    ((await cell.call('GET', '/ticket_imports?limit=100', { key: agency.key })).body as { data: Capture[] }).data
  const sales = async () => (await feed(cell, agency)).items
  const notified = async () =>
    (
      (await cell.call('GET', '/notifications', { key: agency.key })).body as {
        data: { kind: string; title: string; subject_type: string; subject_id: string; body: string | null }[]
      }
    ).data
  return { agency, send, capture, sale, sales, captures, notified }
}
async function feed(cell: TestCell, agency: Agency): Promise<{ items: Sale[] }> {
  const { body } = await cell.call('GET', '/imports/tickets/records?limit=100', { key: agency.key })
  return { items: (body as { data: Sale[] }).data }
}
