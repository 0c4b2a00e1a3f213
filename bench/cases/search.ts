import type { Client } from 'pg'
import { type Agency, makeAgencies } from '../agencies.ts'
import { newDataDir, startCell } from '../cell.ts'
import { signIn } from '../console.ts'
import { figureOf, milliseconds, type Result } from '../measure.ts'
import { searchData } from '../search-data.ts'
import type { Case } from './case.ts'

/** Customers, and as many bookings, of one account; BENCH_SEARCH=1000000 is the full size. */
const SIZE = 50_000
const WARM_UP = 8
const TIMES = 40
/** Each may send 600 requests a minute. */
const SEATS = 8
const TARGET = { atMost: 50 }

type Known = { pnr: string; number: string; phone: string; invoice: string }
const KNOWN = `
  select t.pnr, n.number, c.phone, i.number as invoice from tickets t
  join ticket_numbers n on n.account_id = t.account_id and n.booking_id = t.id
  join customer_invoices i on i.account_id = t.account_id and i.booking_id = t.id
  join customers c on c.account_id = t.account_id and c.id = i.customer_id
  where t.account_id = $1 offset 1000 limit 1`

const textsOf = ({ pnr, number, phone, invoice }: Known): Readonly<Record<string, string>> => ({
  'two letters': 'ay',
  'a common last name': 'yılmaz',
  'a last name without its dots': 'isik',
  'a last name in capitals with dots': 'IŞIK',
  'first and last name': 'Özlem Şimşek',
  'last name first': 'şimşek özlem',
  'the middle of a name': 'ldırı',
  'letters that nobody has': 'qxwv',
  'a PNR': pnr,
  'the beginning of a PNR': pnr.slice(0, 3),
  'a ticket number': number,
  'a ticket number with a dash': `${number.slice(0, 3)}-${number.slice(3)}`,
  'a ticket number without the airline': number.slice(3),
  'the beginning of a ticket number': number.slice(0, 7),
  'a phone number as dialled': `0${phone.slice(3)}`,
  'the end of a phone number': phone.slice(-7),
  'an e-mail': 'person4711@example.com',
  'a part of an e-mail': 'son4711@exa',
  'an invoice number': invoice,
  'the end of an invoice number': invoice.slice(-6),
  'a booking': 'B-4711',
  'a trip': 'Rome',
})

export const search: Case = {
  name: 'search',
  async run({ note }) {
    const size = Number(process.env.BENCH_SEARCH ?? SIZE)
    const agencies = await makeAgencies(await startCell(newDataDir()), 1)
    const agency = agencies.all[0] as Agency
    const client = await agencies.asSuperuser()
    await client.query('set session_replication_role = replica; set statement_timeout = 0')
    note(`  filled with ${size} customers and bookings in ${await fill(client, searchData(agency, size))} s`)
    const [known] = (await client.query<Known>(KNOWN, [agency.account])).rows
    await client.end()
    const browsers = await signIn(agencies, agency, SEATS)
    let asked = 0
    const ask = async (q: string) => {
      const headers = browsers[asked++ % browsers.length] as Record<string, string>
      const answer = await fetch(`${agencies.cell.url}/app/v1/search?q=${encodeURIComponent(q)}`, { headers })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`The search answered ${answer.status} ${text}`)
      return text
    }
    const results: Result[] = []
    for (const [what, q] of Object.entries(textsOf(known as Known))) {
      for (let n = 0; n < WARM_UP; n++) await ask(q)
      const times: number[] = []
      for (let n = 0; n < TIMES; n++) times.push(await milliseconds(() => ask(q)))
      const p95 = times.toSorted((a, b) => a - b)[Math.floor(TIMES * 0.95)] as number
      results.push(figureOf({ name: `search for ${what}`, unit: 'ms', target: TARGET }, times))
      results.push(figureOf({ name: '  95th percentile', unit: 'ms', target: null }, [p95]))
    }
    await agencies.cell.stop()
    return results
  },
}

async function fill(client: Client, statements: readonly string[]): Promise<string> {
  const ms = await milliseconds(async () => {
    for (const statement of statements) await client.query(statement)
  })
  return (ms / 1000).toFixed(1)
}
