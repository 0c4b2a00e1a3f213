import { COLOSSEUM, FLORENCE_BY_THE_ARNO, FORUM } from './pictures.ts'

/** A trip as its days are counted from its first: clocks are those of the place. */
type Shown = {
  readonly trip: Readonly<Record<string, unknown>>
  readonly days: readonly {
    readonly day: Readonly<Record<string, unknown>>
    readonly segments: readonly ({ readonly from?: string; readonly to?: string } & Readonly<Record<string, unknown>>)[]
  }[]
}

const flight = { segment_type: 'flight', status: 'ticketed', airline_code: 'TK' }
const lodging = { segment_type: 'lodging', status: 'confirmed' }
const confirmed = { status: 'confirmed' }
const ROME = { primary_location: 'Roma', timezone: 'Europe/Rome' }
const FLORENCE = { primary_location: 'Floransa', timezone: 'Europe/Rome' }

/** The trip that a newcomer is shown, with something of everything. */
export const SHOWN_TRIP: Shown = {
  trip: {
    title: 'Roma ve Floransa',
    status: 'confirmed',
    trip_type: 'leisure',
    destinations: ['Roma', 'Floransa'],
    primary_currency: 'EUR',
    summary: 'Tiber’den Arno’ya dört gün.\nRahat ayakkabı giyin: iki şehir de en güzel yürüyerek gezilir.',
    internal_notes: 'Müşteri üst kat oda istiyor; otel söz verdi.',
    settings: { language: 'tr', show_prices: true },
    cover_image_url: COLOSSEUM,
  },
  days: [
    {
      day: { ...ROME, title: 'Roma’ya varış', description: 'Yerleşin, sonra Trastevere’de gönlünüzce dolaşın.' },
      segments: [
        {
          ...flight,
          flight_number: '1861',
          departure_airport: 'IST',
          arrival_airport: 'FCO',
          from: '0T09:05',
          to: '0T10:45',
          price_amount: '412.50',
          currency: 'EUR',
          cost_amount: '371.00',
          cost_currency: 'EUR',
        },
        {
          ...confirmed,
          segment_type: 'transfer',
          title: 'Otele özel transfer',
          description: 'Şoför gümrük çıkışında adınızla bekler.',
          from: '0T11:30',
          location_name: 'Fiumicino, Terminal 3',
        },
        {
          ...lodging,
          title: 'Hotel Santa Maria',
          from: '0T15:00',
          to: '2T11:00',
          location_name: 'Hotel Santa Maria',
          location_address: 'Vicolo del Piede 2, 00153 Roma',
          price_amount: '640.00',
          currency: 'EUR',
          cost_amount: '512.00',
          cost_currency: 'EUR',
          confirmation_number: 'HSM-48213',
        },
        {
          segment_type: 'dining',
          status: 'option',
          title: 'Da Enzo’da akşam yemeği',
          is_optional: true,
          from: '0T20:00',
          to: '0T22:00',
          location_name: 'Da Enzo al 29',
          location_address: 'Via dei Vascellari 29, 00153 Roma',
        },
      ],
    },
    {
      day: { ...ROME, title: 'Antik Roma', cover_image_url: FORUM },
      segments: [
        {
          ...confirmed,
          segment_type: 'tour',
          title: 'Rehberle Kolezyum ve Forum',
          is_highlighted: true,
          description: 'Sıra beklemeden giriş. Yanınıza kimlik alın.',
          from: '1T09:15',
          to: '1T12:30',
          location_name: 'Konstantin Takı',
          price_amount: '98.00',
          currency: 'EUR',
        },
        { segment_type: 'free_time', title: 'Serbest öğleden sonra' },
        { segment_type: 'note', title: 'Doğum günü sürprizi', is_client_visible: false },
      ],
    },
    {
      day: { ...FLORENCE, title: 'Floransa’ya', cover_image_url: FLORENCE_BY_THE_ARNO },
      segments: [
        {
          ...confirmed,
          segment_type: 'rail',
          title: 'Frecciarossa 9512, Roma Termini – Firenze S. M. Novella',
          from: '2T12:10',
          to: '2T13:42',
          location_name: 'Roma Termini',
        },
        {
          ...lodging,
          title: 'Palazzo Guadagni',
          from: '2T15:00',
          to: '3T11:00',
          location_name: 'Palazzo Guadagni',
          location_address: 'Piazza Santo Spirito 9, 50125 Firenze',
          price_amount: '285.00',
          currency: 'EUR',
        },
      ],
    },
    {
      day: { ...FLORENCE, title: 'Eve dönüş' },
      segments: [
        {
          ...flight,
          flight_number: '1874',
          departure_airport: 'FLR',
          arrival_airport: 'SAW',
          from: '3T21:40',
          to: '4T01:20',
        },
      ],
    },
  ],
}
