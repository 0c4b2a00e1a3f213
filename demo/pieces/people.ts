import type { Random } from '../random.ts'
import { PEOPLE, PHONES } from '../vocabulary.ts'
import { type Calendar, LAST_DAY } from './calendar.ts'
import { type Row, withoutUndefined } from './row.ts'
import { tckn } from './tax-numbers.ts'

/** A traveller; `age` is in years on the first day of the year. */
export type Person = {
  readonly first: string
  readonly last: string
  readonly gender: 'female' | 'male'
  readonly country: string
  readonly age: number
  readonly born: string
  readonly passport: { readonly number: string; readonly expiry: string }
  readonly nationalId: string | undefined
}
type Names = (typeof PEOPLE)[number]

const LATIN: Readonly<Record<string, string>> = {
  ı: 'i',
  İ: 'i',
  ş: 's',
  ğ: 'g',
  ç: 'c',
  ö: 'o',
  ü: 'u',
  ß: 'ss',
  "'": '',
}
/** Letters and digits that are valid in an e-mail address or a ticket; other scripts are removed. */
export const latin = (text: string): string =>
  [...text.toLowerCase()]
    .map((letter) => LATIN[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')

const DAYS = 365
export function makePerson(random: Random, day: Calendar, age: number, relative?: Person): Person {
  const own = random.chance(0.7) ? PEOPLE[0] : random.pick(PEOPLE)
  const names = PEOPLE.find(({ country }) => country === relative?.country) ?? own
  const gender = random.pick(['female', 'male'] as const)
  return {
    first: random.pick(gender === 'female' ? names.women : names.men),
    last: relative ? inGender(relative.last, names, relative.gender, gender) : lastName(random, names, gender),
    gender,
    country: names.country,
    age,
    born: day(-age * DAYS - random.int(1, DAYS - 1)),
    passport: { number: `${random.pick(['U', 'C', 'P'])}${random.digits(8)}`, expiry: day(random.int(LAST_DAY, 3000)) },
    nationalId: names.country === 'TR' ? tckn(random) : undefined,
  }
}

const lastName = (random: Random, names: Names, gender: Person['gender']) =>
  inGender(random.pick(names.last), names, 'male', gender)
/** Russian family names have a gender. */
function inGender(name: string, { country }: Names, from: Person['gender'], to: Person['gender']): string {
  if (country !== 'RU' || from === to) return name
  return to === 'female' ? `${name}а` : name.slice(0, -1)
}

export const personName = ({ first, last }: Person): string => `${first} ${last}`
/** The local part of a person's e-mail address. */
export const mailboxOf = ({ first, last }: Person): string => `${latin(first) || 'guest'}.${latin(last) || 'x'}`
export const adultAge = (random: Random): number => random.int(21, 74)

export function phoneOf(random: Random, country: string): string {
  return random.pick(PHONES[country] ?? PHONES.TR ?? [])(random.digits(9))
}

export const travelerOf = ({ first, last, gender, country, born, passport, nationalId }: Person): Row =>
  withoutUndefined({
    first_name: first,
    last_name: last,
    nationality: country,
    national_id: nationalId,
    passport_number: passport.number,
    passport_country: country,
    passport_expiry: passport.expiry,
    date_of_birth: born,
    gender,
  })
