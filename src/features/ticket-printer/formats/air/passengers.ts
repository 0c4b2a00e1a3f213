import type { Passenger } from '../../ticket-file.ts'
import { BLANK_PASSENGER } from '../blank.ts'
import { fullDay } from '../days.ts'
import { passengerNameOf, typeOfPassenger } from '../names.ts'
import type { Warn } from '../warnings.ts'
import { type Air, field, type Line, linesFor, type PassengerBlock } from './lines.ts'

/** A type alone or with the day of birth. `(INF/NAME/10APR25)` is whom an adult carries, `(ID…)` an identification. */
const TYPE = /^([A-Z][A-Z0-9]{2})(?:\/(\d{2}[A-Z]{3}\d{2,4}))?$/
const BIRTH = /DOB\/?(\d{2}[A-Z]{3}\d{2,4})/
/** Fields of a travel document between strokes: day of birth, and the sex, which has an I behind it for infants. */
const BORN = 5
const SEX = 6
const MAX_DETAILS = 10

export function readPassenger(air: Air, block: PassengerBlock, today: string, warn: Warn): Passenger {
  const details = detailsOf(block.name)
  const [, ptc = null, born = ''] = details.map((each) => TYPE.exec(each)).find((match) => match !== null) ?? []
  const named = passengerNameOf(block.name)
  if (named.lastName === '') warn('passenger_name', 'A passenger has no name. Enter it by hand.')
  const type = typeOfPassenger(ptc)
  const day = [born, ...details.map((each) => BIRTH.exec(each)?.[1] ?? ''), ...birthsOf(air, block, type === 'infant')]
  return {
    ...BLANK_PASSENGER,
    ...named,
    type,
    ptc,
    dateOfBirth: day.map((printed) => fullDay(printed, today, true)).find((each) => each !== null) ?? null,
    frequentFlyer: frequentFlyerOf(linesFor(air, block, 'FQV')),
  }
}

/** What stands in parentheses behind a name. */
const detailsOf = (name: string): string[] =>
  name
    .split('(', MAX_DETAILS)
    .slice(1)
    .map((each) => (each.split(')', 1)[0] ?? '').trim())

/** `DOCS TK  HK1/P/TUR/0000000/TUR/01JAN80/F/01JAN30/YILMAZ/AYSE`; an infant's stands with its adult's number. */
const birthsOf = (air: Air, block: PassengerBlock, isInfant: boolean): string[] =>
  linesFor(air, block, 'SSR').flatMap((line) => {
    const printed = field(line, 0).trim()
    const parts = printed.startsWith('DOCS') ? printed.split('/', SEX + 1) : []
    return /^[MF]I$/.test(parts[SEX] ?? '') === isInfant ? [parts[BORN] ?? ''] : []
  })

/** `TK  FQTV-TK000000000` */
const frequentFlyerOf = (lines: readonly Line[]): string | null =>
  lines.map((line) => /FQTV\d?-\s*([A-Z0-9]{2,25})/.exec(field(line, 0))?.[1]).find(Boolean) ?? null
