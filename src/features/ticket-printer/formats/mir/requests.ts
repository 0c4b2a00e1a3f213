import { cutLine } from './columns.ts'
import type { Mir } from './mir.ts'

/** A request to an airline that identifies a passenger, with the passenger's number in the reservation. */
export type Request = { readonly number: number | null; readonly text: string }

// `X*//-P1/SSRDOCSTKHK1/P/…-//` among the remarks of A14, `01P1/SSRDOCSTKHK1-P-…` among those of A15.
const IN_REMARK = /(?:P(\d{1,2})\/)?SSR ?(DOCS|CTC[A-Z])(.*)$/
/** A line A20. */
const REQUEST = { passenger: [5, 2], indicator: [7, 3], code: [10, 4] } as const
const TEXT_AT = 14
const CODE = /^(?:DOCS|CTC[A-Z])$/

export const isRequest = (line: string): boolean => IN_REMARK.test(line)

export function identityRequestsOf(mir: Mir): Request[] {
  const remarks = [...mir.items('A14'), ...mir.items('A15')].flatMap(({ line }) => {
    const [, number, code = '', text = ''] = IN_REMARK.exec(line) ?? []
    return code ? [{ number: number === undefined ? null : Number(number), text: `${code} ${plain(text)}` }] : []
  })
  const requests = mir.items('A20').flatMap(({ line }) => {
    const { passenger, indicator, code } = cutLine(line, REQUEST)
    if (indicator !== 'SSR' || !CODE.test(code)) return []
    return [{ number: Number(passenger) || null, text: `${code} ${plain(line.slice(TEXT_AT))}` }]
  })
  return [...remarks, ...requests]
}

/** As in a message to the airline: the airline separate from the status, slashes between the fields, no name behind. */
function plain(printed: string): string {
  const text = printed
    .trim()
    .replace(/-?\/\/$/, '')
    .replace(/-\d{1,2}[A-Z]+\/.*$/, '')
    .replace(/^([A-Z0-9]{2}) ?([A-Z]{2}\d)/, '$1 $2')
  return /-P-/.test(text) ? text.replaceAll('-', '/') : text
}
