import { CUSTOMS, type Custom, type Language, languageOf, languageOfVisitor } from '../../../platform/page/language.ts'
import type { NotFoundWords } from '../../../platform/page/not-found.ts'
import type { SegmentType } from '../public-trip.store.ts'
import { KIND_WORDS } from './kind-words.ts'

/** The texts of a page in one language, besides those written by the agency. */
export type Words = Custom & {
  /** The page's `lang`. */
  readonly language: Language
  readonly kinds: Readonly<Record<SegmentType, string>>
  readonly skip: string
  readonly days: string
  readonly travelers: string
  readonly calendar: string
  readonly cancelled: string
  readonly localTimes: string
  readonly departure: string
  readonly arrival: string
  readonly checkIn: string
  readonly checkOut: string
  readonly overnight: string
  readonly unconfirmed: string
  readonly optional: string
  readonly highlight: string
  day(number: number): string
  nights(count: number): string
  /** Appended to a time that is this many days after the previous one. */
  daysLater(count: number): string
  duration(minutes: number): string
  readonly password: {
    readonly title: string
    readonly asked: string
    readonly label: string
    readonly open: string
    readonly wrong: string
    wait(seconds: number): string
  }
  readonly notFound: NotFoundWords
}

const MINUTES_AN_HOUR = 60
const SECONDS_A_MINUTE = 60

const signed = (count: number): string => (count < 0 ? `−${-count}` : `+${count}`)
/** Hours and minutes, without zeros. */
const timed = (minutes: number, hour: string, minute: string): string =>
  [`${Math.floor(minutes / MINUTES_AN_HOUR)} ${hour}`, `${minutes % MINUTES_AN_HOUR} ${minute}`]
    .filter((part) => !part.startsWith('0 '))
    .join(' ')
/** Seconds below a minute, else minutes. */
const waited = (seconds: number): [count: number, inMinutes: boolean] =>
  seconds < SECONDS_A_MINUTE ? [seconds, false] : [Math.ceil(seconds / SECONDS_A_MINUTE), true]
const plural = (count: number, one: string): string => `${count} ${one}${Math.abs(count) === 1 ? '' : 's'}`

const english: Words = {
  language: 'en',
  ...CUSTOMS.en,
  kinds: KIND_WORDS.en,
  skip: 'Skip to the itinerary',
  days: 'Days',
  travelers: 'Travellers',
  calendar: 'Add to calendar',
  cancelled: 'This trip was cancelled.',
  localTimes: 'All times are local.',
  departure: 'Departure',
  arrival: 'Arrival',
  checkIn: 'Check-in',
  checkOut: 'Check-out',
  overnight: 'Overnight',
  unconfirmed: 'To be confirmed',
  optional: 'Optional',
  highlight: 'Highlight',
  day: (number) => `Day ${number}`,
  nights: (count) => plural(count, 'night'),
  daysLater: (count) => `${signed(count)} day${Math.abs(count) === 1 ? '' : 's'}`,
  duration: (minutes) => timed(minutes, 'h', 'min'),
  password: {
    title: 'This trip is protected',
    asked: 'Enter the password that your travel agency gave you.',
    label: 'Password',
    open: 'Open',
    wrong: 'The password is wrong. Please try again.',
    wait(seconds) {
      const [count, inMinutes] = waited(seconds)
      return `Too many wrong passwords. Please try again in ${plural(count, inMinutes ? 'minute' : 'second')}.`
    },
  },
  notFound: {
    title: 'Trip not found',
    advice: 'The link may be incomplete, or it is no longer valid. Please ask your travel agency for a new one.',
  },
}

const turkish: Words = {
  language: 'tr',
  ...CUSTOMS.tr,
  kinds: KIND_WORDS.tr,
  skip: 'Programa geç',
  days: 'Günler',
  travelers: 'Yolcular',
  calendar: 'Takvime ekle',
  cancelled: 'Bu seyahat iptal edildi.',
  localTimes: 'Tüm saatler yerel saattir.',
  departure: 'Kalkış',
  arrival: 'Varış',
  checkIn: 'Giriş',
  checkOut: 'Çıkış',
  overnight: 'Geceleme',
  unconfirmed: 'Henüz kesinleşmedi',
  optional: 'İsteğe bağlı',
  highlight: 'Öne çıkan',
  day: (number) => `${number}. gün`,
  nights: (count) => `${count} gece`,
  daysLater: (count) => `${signed(count)} gün`,
  duration: (minutes) => timed(minutes, 'sa', 'dk'),
  password: {
    title: 'Bu seyahat parola ile korunuyor',
    asked: 'Seyahat acentenizin size verdiği parolayı girin.',
    label: 'Parola',
    open: 'Aç',
    wrong: 'Parola yanlış. Lütfen yeniden deneyin.',
    wait(seconds) {
      const [count, inMinutes] = waited(seconds)
      return `Çok fazla yanlış parola girildi. Lütfen ${count} ${inMinutes ? 'dakika' : 'saniye'} sonra yeniden deneyin.`
    },
  },
  notFound: {
    title: 'Seyahat bulunamadı',
    advice: 'Bağlantı eksik olabilir ya da artık geçerli değil. Lütfen seyahat acentenizden yeni bir bağlantı isteyin.',
  },
}

export const WORDS: Readonly<Record<Language, Words>> = { en: english, tr: turkish }

/** The words of a language tag, `tr-TR` for one; English for a language that the pages do not speak. */
export const wordsOf = (tag: string): Words => WORDS[languageOf(tag)]

/** The texts in the visitor's language, from the browser's languages in order of preference. */
export const wordsOfVisitor = (acceptLanguage: string | undefined): Words => WORDS[languageOfVisitor(acceptLanguage)]
