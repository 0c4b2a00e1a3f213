/** Words that the demo agency's data is made of: invented people and houses under names as they are in the field. */
export const PEOPLE = [
  {
    script: 'tr',
    country: 'TR',
    first:
      'Ayşe Fatma Elif Zeynep Emine Hatice Merve Şule Gülşah İrem Mehmet Mustafa Ahmet Ali Hüseyin Çağrı Oğuz Ümit İbrahim Yiğit'.split(
        ' ',
      ),
    last: 'Yılmaz Kaya Demir Şahin Çelik Yıldız Öztürk Aydın Özdemir Arslan Doğan Kılıç Çetin Koç Güneş Işık Erdoğan Şimşek Ünal Taşkın'.split(
      ' ',
    ),
  },
  {
    script: 'de',
    country: 'DE',
    first: 'Anna Lena Sophie Jürgen Matthias Günther Heike Björn Käthe Lukas'.split(' '),
    last: 'Müller Schmidt Weiß Jäger Schröder Köhler Groß Vogel Böhm Fuchs'.split(' '),
  },
  {
    script: 'en',
    country: 'GB',
    first: 'Emily Oliver James Charlotte Harry Grace Liam Siobhán Owen Fiona'.split(' '),
    last: "Smith Jones O'Brien Taylor Evans Walker Wright Hughes Green Clarke".split(' '),
  },
  {
    script: 'fr',
    country: 'FR',
    first: 'Élodie François Chloé Jérôme Hélène Gaël Noémie Benoît Anaïs Cédric'.split(' '),
    last: 'Lefèvre Dubois Moreau Garçon Bérard Hébert Noël Pelletier Roux Blanc'.split(' '),
  },
  {
    script: 'ar',
    country: 'AE',
    first: 'محمد أحمد فاطمة عائشة يوسف مريم خالد ليلى عمر نورة'.split(' '),
    last: 'العلي الحسن المنصوري القحطاني الشامسي الهاشمي النعيمي السويدي الكعبي الزعابي'.split(' '),
  },
  {
    script: 'ru',
    country: 'RU',
    first: 'Анна Елена Ольга Наталья Дмитрий Сергей Алексей Михаил Ирина Юлия'.split(' '),
    last: 'Иванова Петров Сидорова Кузнецов Соколова Попов Лебедева Новиков Морозова Волков'.split(' '),
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
