/** A document as a HOT file bills it; amounts in the smallest unit, the commission as the agency has it. */
export type HotDocument = {
  readonly number: string
  readonly code: string
  readonly issuedOn: string
  readonly fare: number
  readonly taxes: readonly number[]
  readonly commission: number
  /** The part paid by an exchanged document. */
  readonly exchanged?: number | undefined
  readonly conjunctions?: readonly string[] | undefined
  /** The document that a refund is of. */
  readonly related?: string | undefined
}
export type HotOffice = {
  readonly agent: string
  readonly periodOn: string
  /** The currency and how many decimals it has here. */
  readonly unit: string
  readonly documents: readonly HotDocument[]
}
export type HotFile = { readonly offices: readonly HotOffice[]; readonly revision?: string; readonly status?: string }

const LENGTH = 136
/** A record of fields at their places, counted from 1. */
const record = (id: string, fields: Readonly<Record<number, string>>): string => {
  const text = [...id.slice(0, 3).padEnd(11), ...id.slice(3)].join('').padEnd(LENGTH).split('')
  for (const [at, field] of Object.entries(fields)) text.splice(Number(at) - 1, field.length, ...field)
  return text.join('').slice(0, LENGTH)
}
const day = (iso: string): string => iso.slice(2).replaceAll('-', '')

function overpunch(amount: number, length = 11): string {
  const digits = String(Math.abs(amount)).padStart(length, '0')
  const signs = amount < 0 ? '}JKLMNOPQR' : '{ABCDEFGHI'
  return digits.slice(0, -1) + signs.charAt(Number(digits.at(-1)))
}

export const totalOf = ({ fare, taxes }: HotDocument): number => taxes.reduce((sum, tax) => sum + tax, fare)
export const remittanceOf = (document: HotDocument): number =>
  totalOf(document) - (document.exchanged ?? 0) - document.commission
const checkDigit = (number: string): string => String(BigInt(number) % 7n)

const TAXES_OF_A_RECORD = 3
function documentRecords(document: HotDocument, { agent, unit }: HotOffice, nth: number): string[] {
  const { number, code, issuedOn, fare, taxes, commission, exchanged = 0, conjunctions = [], related } = document
  const head = { 14: day(issuedOn), 20: String(nth).padStart(6, '0') }
  const of = (which: string) => ({ ...head, 26: which, 40: checkDigit(which) })
  const amounts = []
  for (let at = 0; at === 0 || at < taxes.length; at += TAXES_OF_A_RECORD) {
    const [one = 0, two = 0, three = 0] = taxes.slice(at, at + TAXES_OF_A_RECORD)
    amounts.push(
      record('BKS30', {
        ...of(number),
        41: overpunch(at === 0 ? fare : 0),
        52: overpunch(0),
        63: `YR      ${overpunch(one)}TR      ${overpunch(two)}XT      ${overpunch(three)}`,
        120: overpunch(at === 0 ? totalOf(document) : 0),
        133: unit,
      }),
    )
  }
  return [
    record('BKT06', { 14: head[20], 22: '000' }),
    record('BKS24', { ...of(number), 41: 'FF', 48: agent, 72: code }),
    ...conjunctions.map((further) => record('BKS24', { ...of(further), 41: 'F', 45: 'CNJ', 48: agent, 72: code })),
    ...amounts,
    record('BKS39', { ...of(number), 50: '00100', 55: overpunch(-commission), 93: overpunch(-commission), 133: unit }),
    ...(related ? [record('BKS45', { ...of(related), 61: '1000' })] : []),
    record('BKI63', { ...of(number), 41: '1', 53: 'IST  LHR  TK ', 74: '12JUN26' }),
    record('BAR65', { ...of(number), 41: 'YILMAZ/AYSE MRS' }),
    ...(exchanged
      ? [record('BKP84', { ...head, 26: 'EX', 36: overpunch(exchanged), 98: overpunch(0), 133: unit })]
      : []),
    record('BKP84', { ...head, 26: 'CA', 36: overpunch(0), 98: overpunch(remittanceOf(document)), 133: unit }),
  ]
}

type Sums = { total: number; remittance: number; commission: number }
/** What control records say of the documents of each currency. */
function control(offices: readonly HotOffice[], make: (unit: string, amounts: string) => string): string[] {
  return [...Map.groupBy(offices, ({ unit }) => unit)].map(([unit, theirs]) => {
    const sums: Sums = { total: 0, remittance: 0, commission: 0 }
    for (const document of theirs.flatMap(({ documents }) => documents)) {
      sums.total += totalOf(document)
      sums.remittance += remittanceOf(document)
      sums.commission -= document.commission
    }
    return make(unit, [sums.total, sums.remittance, sums.commission, 0, 0].map((sum) => overpunch(sum, 15)).join(''))
  })
}

/** The records of a HOT file, as the BSP would write it. */
export function hotRecords({ offices, revision = '230', status = 'PROD' }: HotFile): string[] {
  const before = (which: number) => offices.slice(0, which).reduce((sum, { documents }) => sum + documents.length, 1)
  const body = offices.flatMap((office, which) => [
    record('BOH03', { 14: office.agent, 22: day(office.periodOn), 28: office.unit }),
    ...office.documents.flatMap((document, at) => documentRecords(document, office, before(which) + at)),
    ...control([office], (unit, amounts) =>
      record('BOT94', { 14: office.agent, 22: day(office.periodOn), 28: amounts, 133: unit }),
    ),
  ])
  const records = [
    record('BFH01', { 14: 'IST', 17: '235', 20: revision, 23: status, 27: '260401' }),
    record('BCH02', { 14: '031', 17: '1', 18: '260331' }),
    ...body,
    ...control(offices, (unit, amounts) => record('BCT95', { 14: '0311', 18: '00001', 23: amounts, 133: unit })),
    ...control(offices, (unit, amounts) => record('BFT99', { 14: 'IST', 17: '00001', 22: amounts, 133: unit })),
  ]
  return records.map((text, at) => text.slice(0, 3) + String(at + 1).padStart(8, '0') + text.slice(11))
}

export const writeHot = (file: HotFile, end = '\r\n'): string =>
  hotRecords(file)
    .map((text) => text + end)
    .join('')
