import type { Language } from '../../../platform/page/language.ts'
import type { SegmentType } from '../public-trip.store.ts'

/** What each kind of segment is called. */
export const KIND_WORDS: Readonly<Record<Language, Readonly<Record<SegmentType, string>>>> = {
  en: {
    flight: 'Flight',
    lodging: 'Stay',
    transfer: 'Transfer',
    car_rental: 'Car rental',
    rail: 'Train',
    bus: 'Bus',
    ferry: 'Ferry',
    cruise: 'Cruise',
    tour: 'Tour',
    activity: 'Activity',
    dining: 'Dining',
    insurance: 'Insurance',
    visa: 'Visa',
    event: 'Event',
    meeting_point: 'Meeting point',
    free_time: 'Free time',
    note: 'Note',
  },
  tr: {
    flight: 'Uçuş',
    lodging: 'Konaklama',
    transfer: 'Transfer',
    car_rental: 'Araç kiralama',
    rail: 'Tren',
    bus: 'Otobüs',
    ferry: 'Feribot',
    cruise: 'Gemi turu',
    tour: 'Tur',
    activity: 'Aktivite',
    dining: 'Yemek',
    insurance: 'Sigorta',
    visa: 'Vize',
    event: 'Etkinlik',
    meeting_point: 'Buluşma noktası',
    free_time: 'Serbest zaman',
    note: 'Not',
  },
}
