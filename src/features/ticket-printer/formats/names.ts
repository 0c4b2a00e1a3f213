import type { Passenger } from '../ticket-file.ts'

const TITLES = ['MSTR', 'MISS', 'PROF', 'MRS', 'MSS', 'MR', 'MS', 'DR'] as const
/**
 * Titles that old files print without a blank before them. Other endings are too frequent in names: Williams, Alexandr.
 */
const GLUED: readonly string[] = ['MSTR', 'MISS', 'MRS', 'MR']
/** A first name must have at least this many letters without the attached title. */
const SHORTEST_FIRST_NAME = 2

/** `SURNAME/FIRST MR`, with the title attached or separated; text in parentheses is not part of the name. */
export function passengerNameOf(printed: string): Pick<Passenger, 'lastName' | 'firstName' | 'title'> {
  const plain = printed
    .replace(/\(.*$/s, '')
    .replace(/\*(?:CHD|CNN|INF|YTH|ADT)\b.*$/, '')
    .trim()
  const slash = plain.indexOf('/')
  const [lastName, given] = slash < 0 ? [plain, ''] : [plain.slice(0, slash), plain.slice(slash + 1)]
  const { firstName, title } = withoutTitle(given.trim())
  return { lastName: lastName.trim(), firstName, title }
}

function withoutTitle(given: string): { firstName: string; title: string | null } {
  for (const title of TITLES) {
    if (!given.toUpperCase().endsWith(title)) continue
    const rest = given.slice(0, -title.length)
    const apart = rest === '' || /\s$/.test(rest)
    const isGlued = GLUED.includes(title) && rest.length >= SHORTEST_FIRST_NAME
    if (apart || isGlued) return { firstName: rest.trim(), title }
  }
  return { firstName: given, title: null }
}

const TYPES: Readonly<Record<string, Passenger['type']>> = {
  CHD: 'child',
  CNN: 'child',
  CHILD: 'child',
  JNN: 'child',
  UNN: 'child',
  INN: 'child',
  INF: 'infant',
  INS: 'infant',
  JNF: 'infant',
  ITF: 'infant',
  INFANT: 'infant',
  YTH: 'youth',
  YNN: 'youth',
  YCD: 'senior',
  SRC: 'senior',
  SNN: 'senior',
  CD: 'senior',
}
/**
 * The type of a passenger by a code of IATA or ATPCO, such as `CHD`, `C07` or `CNN`. Hundreds of other codes exist for
 * fares (`RP12`, `SEA`); their passengers are adults, and the code stays with the passenger.
 */
export function typeOfPassenger(ptc: string | null): Passenger['type'] {
  const code = ptc?.trim().toUpperCase() ?? ''
  if (TYPES[code]) return TYPES[code]
  if (/^[CJ]\d\d$/.test(code)) return 'child'
  if (/^I\d\d$/.test(code)) return 'infant'
  if (/^Y\d\d$/.test(code)) return 'youth'
  return 'adult'
}
