/** Words that the demo agency's data is made of: invented people and houses under names as they are in the field. */
export const PEOPLE = [
  {
    country: 'TR',
    women: 'Ayşe Fatma Elif Zeynep Emine Hatice Merve Şule Gülşah İrem'.split(' '),
    men: 'Mehmet Mustafa Ahmet Ali Hüseyin Çağrı Oğuz Ümit İbrahim Yiğit'.split(' '),
    last: 'Yılmaz Kaya Demir Şahin Çelik Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Çetin Koç Güneş Işık Erdoğan Şimşek Ünal Taşkın'.split(
      ' ',
    ),
  },
  {
    country: 'DE',
    women: 'Anna Lena Sophie Heike Käthe'.split(' '),
    men: 'Jürgen Matthias Günther Björn Lukas'.split(' '),
    last: 'Müller Schmidt Weiß Jäger Schröder Köhler Groß Vogel Böhm Fuchs'.split(' '),
  },
  {
    country: 'GB',
    women: 'Emily Charlotte Grace Siobhán Fiona'.split(' '),
    men: 'Oliver James Harry Liam Owen'.split(' '),
    last: "Smith Jones O'Brien Taylor Evans Walker Wright Hughes Green Clarke".split(' '),
  },
  {
    country: 'FR',
    women: 'Élodie Chloé Hélène Noémie Anaïs'.split(' '),
    men: 'François Jérôme Gaël Benoît Cédric'.split(' '),
    last: 'Lefèvre Dubois Moreau Garçon Bérard Hébert Noël Pelletier Roux Blanc'.split(' '),
  },
  {
    country: 'AE',
    women: 'فاطمة عائشة مريم ليلى نورة'.split(' '),
    men: 'محمد أحمد يوسف خالد عمر'.split(' '),
    last: 'العلي الحسن المنصوري القحطاني الشامسي الهاشمي النعيمي السويدي الكعبي الزعابي'.split(' '),
  },
  {
    country: 'RU',
    women: 'Анна Елена Ольга Наталья Ирина Юлия'.split(' '),
    men: 'Дмитрий Сергей Алексей Михаил'.split(' '),
    last: 'Иванов Петров Сидоров Кузнецов Соколов Попов Лебедев Новиков Морозов Волков'.split(' '),
  },
] as const

export const PHONES: Readonly<Record<string, readonly ((digits: string) => string)[]>> = {
  TR: [
    (d) => `0532 ${d.slice(0, 3)} ${d.slice(3, 5)} ${d.slice(5, 7)}`,
    (d) => `+90 541 ${d.slice(0, 3)} ${d.slice(3, 7)}`,
    (d) => `+90(505)${d.slice(0, 7)}`,
  ],
  DE: [(d) => `+49 151 ${d.slice(0, 8)}`, (d) => `0049 171 ${d.slice(0, 7)}`],
  GB: [(d) => `+44 7400 1${d.slice(0, 5)}`, (d) => `+44 (0)7400 1${d.slice(0, 5)}`],
  FR: [(d) => `+33 6 12 ${d.slice(0, 2)} ${d.slice(2, 4)} ${d.slice(4, 6)}`],
  AE: [(d) => `+971 50 ${d.slice(0, 3)} ${d.slice(3, 7)}`],
  RU: [(d) => `+7 916 ${d.slice(0, 3)}-${d.slice(3, 5)}-${d.slice(5, 7)}`],
}

export const ADDRESSES = [
  {
    city: 'İstanbul',
    districts: ['Kadıköy', 'Beşiktaş', 'Şişli', 'Üsküdar', 'Bakırköy'],
    streets: ['Bağdat Caddesi', 'Barbaros Bulvarı', 'Büyükdere Caddesi', 'Çiçek Sokak'],
    zip: '34',
  },
  {
    city: 'İzmir',
    districts: ['Karşıyaka', 'Bornova', 'Konak'],
    streets: ['Cumhuriyet Bulvarı', 'Şehit Nevres Bulvarı', '1453 Sokak'],
    zip: '35',
  },
  {
    city: 'Ankara',
    districts: ['Çankaya', 'Keçiören', 'Yenimahalle'],
    streets: ['Atatürk Bulvarı', 'Tunalı Hilmi Caddesi', 'Güvenlik Caddesi'],
    zip: '06',
  },
  { city: 'Antalya', districts: ['Muratpaşa', 'Kepez'], streets: ['Işıklar Caddesi', 'Gazi Bulvarı'], zip: '07' },
  { city: 'Berlin', districts: ['Neukölln', 'Schöneberg'], streets: ['Sonnenallee', 'Müllerstraße'], zip: '12' },
] as const

export const COMPANIES = [
  'Meridyen Lojistik',
  'Anadolu Yapı',
  'Kuzey Işığı Yazılım',
  'Boğaziçi Tekstil',
  'Ege Zeytincilik',
  'Çınar Eğitim',
  'Güneş Enerji',
  'Marmara Gıda',
  'Toros Madencilik',
  'İpekyolu Dış Ticaret',
  'Akdeniz Turizm Kulübü',
  'Öncü Medikal',
]
export const COMPANY_FORMS = ['A.Ş.', 'Ltd. Şti.', 'San. ve Tic. A.Ş.']
export const TAX_OFFICES = ['Kadıköy', 'Beşiktaş', 'Büyük Mükellefler', 'Konak', 'Çankaya', 'Üsküdar']

/** Destinations with the currency that their hotels quote in, and a price for a night that is usual there. */
export const PLACES = [
  {
    city: 'Bodrum',
    country: 'TR',
    currency: 'TRY',
    night: 4200,
    names: ['Grand Ege Resort', 'Yalıkavak Konak', 'Mavi Koy'],
  },
  {
    city: 'Antalya',
    country: 'TR',
    currency: 'EUR',
    night: 140,
    names: ['Lara Palas', 'Toros Beach', 'Kaleiçi Butik Otel'],
  },
  { city: 'Nevşehir', country: 'TR', currency: 'EUR', night: 175, names: ['Peri Mağara Otel', 'Ürgüp Taş Konak'] },
  {
    city: 'İstanbul',
    country: 'TR',
    currency: 'USD',
    night: 190,
    names: ['Pera Köşk', 'Boğaz Yalı Otel', 'Galata Han'],
  },
  { city: 'Dubai', country: 'AE', currency: 'USD', night: 260, names: ['Marina Pearl', 'Desert Dunes Resort'] },
  { city: 'Kuwait City', country: 'KW', currency: 'KWD', night: 48.5, names: ['Gulf Crescent Hotel'] },
  { city: 'Tokyo', country: 'JP', currency: 'JPY', night: 24000, names: ['Asakusa Garden Hotel', 'Shinjuku Terrace'] },
  { city: 'London', country: 'GB', currency: 'GBP', night: 165, names: ['Bloomsbury Row', 'Southbank Wharf Hotel'] },
  { city: 'Roma', country: 'IT', currency: 'EUR', night: 155, names: ['Albergo Trastevere', 'Villa Aurelia'] },
  { city: 'Paris', country: 'FR', currency: 'EUR', night: 180, names: ['Hôtel des Écoles', 'Relais Montmartre'] },
  { city: 'Amman', country: 'JO', currency: 'JOD', night: 62.25, names: ['Jabal Amman Suites'] },
] as const

export const OTHER_SUPPLIERS = [
  { type: 'dmc', names: ['Levant Ground Services', 'Kapadokya DMC', 'Adriatic Partners'] },
  { type: 'airline', names: ['Anka Air', 'Ege Hava Yolları', 'Northern Wings'] },
  { type: 'car_rental', names: ['Yol Arkadaşı Rent a Car', 'Coastline Cars'] },
  { type: 'tour_operator', names: ['Dünya Turları', 'Blue Voyage Tours'] },
  { type: 'transfer', names: ['Havalimanı Transfer', 'City Shuttle'] },
  { type: 'cruise', names: ['Ege Cruises'] },
  { type: 'insurance', names: ['Güvence Seyahat Sigorta'] },
  { type: 'consolidator', names: ['Bilet Toptan', 'Skyline Consolidators'] },
] as const

export const ROOM_TYPES = ['Standard', 'Deniz Manzaralı', 'Aile Odası', 'Junior Suite', 'Ekonomik']
export const NOTES = [
  'Geç giriş yapacaklar.',
  'Balayı çifti, odaya çiçek.',
  'Yüksek kat istiyor.',
  'Glutensiz kahvaltı.',
  'Late check-out requested.',
  'يفضل غرفة هادئة',
  'Номер без ковров.',
  'Bebek yatağı gerekli.',
]

/** The agency's staff, to whom bookings are assigned. */
export const SEATS = {
  owner: { name: 'Deniz Aksoy', email: 'deniz.aksoy@egeyollari.example' },
  advisor: { name: 'Elif Şahin', email: 'elif.sahin@egeyollari.example' },
  accountant: { name: 'Murat Öz', email: 'murat.oz@egeyollari.example' },
} as const
/** Another one, whose bookings the old system did not know. */
export const SECOND_ADVISOR = { name: 'Kaan Erdem', email: 'kaan.erdem@egeyollari.example' }

/** Airports, and where people go from there; prices of one way, in the currency that is usual there. */
export const TRANSFERS = [
  { airport: 'BJV', name: 'Milas-Bodrum Havalimanı', to: ['Yalıkavak Konak', 'Türkbükü'], currency: 'TRY', fare: 1900 },
  {
    airport: 'IST',
    name: 'İstanbul Havalimanı',
    to: ['Pera Köşk', 'Galata Han', 'Kadıköy'],
    currency: 'EUR',
    fare: 45,
  },
  { airport: 'AYT', name: 'Antalya Havalimanı', to: ['Lara Palas', 'Kaleiçi Butik Otel'], currency: 'EUR', fare: 35 },
  { airport: 'ASR', name: 'Kayseri Havalimanı', to: ['Peri Mağara Otel', 'Göreme'], currency: 'TRY', fare: 1400 },
  { airport: 'LHR', name: 'London Heathrow', to: ['Bloomsbury Row', 'Southbank'], currency: 'GBP', fare: 78 },
  { airport: 'DXB', name: 'Dubai International', to: ['Marina Pearl', 'Deira'], currency: 'USD', fare: 55 },
  {
    airport: 'KWI',
    name: 'Kuwait International',
    to: ['Gulf Crescent Hotel', 'Salmiya'],
    currency: 'KWD',
    fare: 12.75,
  },
  { airport: 'HND', name: 'Tokyo Haneda', to: ['Asakusa Garden Hotel', 'Shinjuku'], currency: 'JPY', fare: 14000 },
] as const
export const DRIVERS = ['Kemal Usta', 'Serkan Bilgin', 'Hakan Yurt', 'Tarık Soylu', 'Omar Haddad']

export const SHIPS = [
  { name: 'Ege Yıldızı', nights: 7, fare: 890, currency: 'EUR' },
  { name: 'Mavi Rota', nights: 4, fare: 540, currency: 'EUR' },
  { name: 'Akdeniz İncisi', nights: 10, fare: 1350, currency: 'EUR' },
  { name: 'Aurora of the North', nights: 12, fare: 2100, currency: 'USD' },
  { name: 'Caribbean Dawn', nights: 7, fare: 990, currency: 'USD' },
  { name: 'Highland Queen', nights: 5, fare: 760, currency: 'GBP' },
] as const
export const CRUISE_CABINS = [
  { category: 'İç kabin', factor: 1 },
  { category: 'Dış kabin', factor: 1.25 },
  { category: 'Balcony', factor: 1.6 },
  { category: 'Suite', factor: 2.8 },
] as const

export const VEHICLES = [
  { name: 'Ekonomik manuel', factor: 1 },
  { name: 'Compact automatic', factor: 1.3 },
  { name: 'SUV', factor: 2 },
  { name: 'Minivan 9 kişilik', factor: 2.6 },
] as const
/** Where cars are rented, with the price of a day. */
export const RENTALS = [
  { location: 'Milas-Bodrum Havalimanı', other: 'Bodrum Marina', airport: 'BJV', currency: 'TRY', daily: 1500 },
  { location: 'İzmir Adnan Menderes', other: 'Çeşme', airport: 'ADB', currency: 'TRY', daily: 1350 },
  { location: 'Antalya Havalimanı', other: 'Kaş', airport: 'AYT', currency: 'EUR', daily: 32 },
  { location: 'Roma Fiumicino', other: 'Firenze SMN', airport: 'FCO', currency: 'EUR', daily: 48 },
  { location: 'London Heathrow', other: 'Edinburgh', airport: 'LHR', currency: 'GBP', daily: 44 },
  { location: 'Amman Queen Alia', other: 'Aqaba', airport: 'AMM', currency: 'JOD', daily: 28.5 },
  { location: 'Dubai Airport T3', other: 'Abu Dhabi', airport: 'DXB', currency: 'USD', daily: 52 },
] as const

/** Tours with a price for each guest. */
export const TOURS = [
  { title: 'Kapadokya, balonla', nights: 2, price: 8900, currency: 'TRY' },
  { title: 'Karadeniz yaylaları', nights: 5, price: 16500, currency: 'TRY' },
  { title: 'GAP: Antep, Urfa, Mardin', nights: 4, price: 14800, currency: 'TRY' },
  { title: 'Büyük İtalya', nights: 7, price: 1150, currency: 'EUR' },
  { title: 'Balkanlar, vizesiz', nights: 6, price: 640, currency: 'EUR' },
  { title: 'Paris ve Benelüks', nights: 6, price: 1090, currency: 'EUR' },
  { title: 'İskoçya', nights: 5, price: 980, currency: 'GBP' },
  { title: 'Japonya: sakura zamanı', nights: 9, price: 385000, currency: 'JPY' },
  { title: 'Ürdün: Petra ve Vadi Rum', nights: 4, price: 412.5, currency: 'JOD' },
  { title: 'Dubai, alışveriş', nights: 3, price: 720, currency: 'USD' },
] as const
export const EXTRAS = [
  { name: 'Balon turu', share: 0.3 },
  { name: 'Müze paketi', share: 0.06 },
  { name: 'Vize işlemi', share: 0.1 },
  { name: 'Seyahat sigortası', share: 0.03 },
] as const
export const PICKUP_POINTS = ['Taksim', 'Kadıköy İskele', 'Bakırköy', 'Havalimanı', 'Alsancak', 'Kızılay']
export const DESTINATIONS = [
  'Roma',
  'Paris',
  'Kapadokya',
  'Bodrum',
  'Tokyo',
  'Londra',
  'Dubai',
  'Balkanlar',
  'Maldivler',
]

/** Turkish lira that one unit was worth around the middle of the year. */
export const LIRA: Readonly<Record<string, number>> = {
  TRY: 1,
  EUR: 48.5,
  USD: 41.6,
  GBP: 56.2,
  JPY: 0.281,
  KWD: 135.5,
  JOD: 58.7,
}
