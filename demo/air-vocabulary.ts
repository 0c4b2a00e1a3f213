/** Airlines with their ticket prefixes and destinations: from `home` through the hub, or to it. */
export type Airline = {
  readonly code: string
  readonly prefix: string
  readonly hub: string
  readonly home: readonly string[]
  readonly far: readonly string[]
  /** Sold on the web without commission. */
  readonly lowCost?: true
}
const TURKEY = ['ADB', 'ESB', 'AYT', 'ADA', 'TZX', 'GZT', 'BJV', 'DLM']

export const AIRLINES: readonly Airline[] = [
  {
    code: 'TK',
    prefix: '235',
    hub: 'IST',
    home: ['IST', 'IST', 'IST', 'ADB', 'ESB', 'AYT', 'ADA'],
    far: ['LHR', 'FRA', 'CDG', 'AMS', 'FCO', 'BER', 'ATH', 'DXB', 'KWI', 'AMM', 'JFK', 'HND', ...TURKEY],
  },
  {
    code: 'PC',
    prefix: '624',
    hub: 'SAW',
    home: ['SAW', 'SAW', 'ADB', 'ESB'],
    far: ['BER', 'AMS', 'FCO', 'ATH', 'VIE', 'KWI', 'ADB', 'AYT', 'TZX', 'GZT', 'DLM'],
    lowCost: true,
  },
  { code: 'XQ', prefix: '564', hub: 'ADB', home: ['ADB'], far: ['FRA', 'MUC', 'BER', 'ZRH', 'AYT'], lowCost: true },
  { code: 'LH', prefix: '220', hub: 'FRA', home: ['IST', 'ESB', 'ADB'], far: ['FRA', 'LHR', 'CDG', 'JFK', 'MUC'] },
  { code: 'BA', prefix: '125', hub: 'LHR', home: ['IST'], far: ['LHR', 'JFK', 'EDI'] },
  { code: 'AF', prefix: '057', hub: 'CDG', home: ['IST'], far: ['CDG', 'JFK', 'HND'] },
  { code: 'KL', prefix: '074', hub: 'AMS', home: ['IST'], far: ['AMS', 'JFK', 'LHR'] },
  { code: 'EK', prefix: '176', hub: 'DXB', home: ['IST', 'SAW'], far: ['DXB', 'HND', 'BKK'] },
  { code: 'QR', prefix: '157', hub: 'DOH', home: ['IST', 'SAW', 'ESB'], far: ['DOH', 'HND', 'BKK', 'KWI'] },
  { code: 'RJ', prefix: '512', hub: 'AMM', home: ['IST'], far: ['AMM', 'DXB', 'AQJ'] },
  { code: 'KU', prefix: '229', hub: 'KWI', home: ['IST'], far: ['KWI', 'DXB', 'BKK'] },
]
/** As often as an agency in Türkiye sells them. */
export const AIRLINES_SOLD: readonly string[] = 'TK TK TK TK TK TK PC PC PC XQ LH LH BA AF KL EK QR RJ KU'.split(' ')

/** Where fares are quoted in another currency than the euro or the dollar. */
export const LOCAL_CURRENCIES: Readonly<Record<string, string>> = {
  LHR: 'GBP',
  HND: 'JPY',
  KWI: 'KWD',
  AMM: 'JOD',
}

/** What airports and states charge those who leave, in euros. */
export const AIRPORT_TAXES: Readonly<Record<string, readonly (readonly [code: string, amount: number])[]>> = {
  TR: [
    ['TR', 18],
    ['M6', 3],
  ],
  GB: [
    ['GB', 15.5],
    ['UB', 24.3],
  ],
  DE: [
    ['DE', 9.8],
    ['RA', 23.4],
    ['OY', 15.5],
  ],
  FR: [
    ['QX', 17.6],
    ['FR', 11.2],
    ['O4', 4.6],
  ],
  NL: [
    ['CJ', 14.1],
    ['RN', 13.9],
    ['VV', 29.4],
  ],
  IT: [
    ['IT', 16.2],
    ['VT', 2.5],
    ['HB', 6.5],
  ],
  AT: [
    ['ZY', 18.6],
    ['QD', 12],
  ],
  CH: [['CH', 28.7]],
  GR: [
    ['GR', 12],
    ['WP', 8.2],
  ],
  AE: [
    ['AE', 18.9],
    ['F6', 8.7],
  ],
  QA: [['QA', 14.8]],
  KW: [['N4', 12.4]],
  JO: [['JO', 51]],
  US: [
    ['US', 20.6],
    ['AY', 5.2],
    ['XF', 4.2],
  ],
  JP: [
    ['SW', 18],
    ['OI', 3.4],
  ],
  TH: [
    ['TS', 18.8],
    ['E7', 0.9],
  ],
}
/** Within Türkiye. */
export const DOMESTIC_TAXES = [
  ['VQ', 3.2],
  ['M6', 1.5],
] as const

export const CABINS = [
  { cabin: 'economy', classes: ['Y', 'M', 'H', 'Q', 'V', 'L', 'T'], factor: 1 },
  { cabin: 'premium_economy', classes: ['W', 'E'], factor: 1.7 },
  { cabin: 'business', classes: ['C', 'D', 'J'], factor: 3.4 },
] as const

export const GDS = ['Amadeus', 'Amadeus', 'Sabre', 'Travelport', 'NDC']
