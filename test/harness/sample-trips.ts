import type { Written } from './shared-trip.ts'

const flight = { segment_type: 'flight', status: 'ticketed' }
const stay = { segment_type: 'lodging' }

/** A week in Italy with something of everything. */
export const english: Written = {
  trip: {
    title: 'A week in Rome and Florence',
    start_date: '2026-06-12',
    end_date: '2026-06-15',
    destinations: ['Rome', 'Florence'],
    cover_image_url: 'https://pictures.example/rome.jpg',
    summary: 'Four days between the Tiber and the Arno.\nWear good shoes: the best of both towns is found on foot.',
    settings: { language: 'en' },
  },
  travelers: [{ name: 'Ayşe Yılmaz', is_lead: true }, { name: 'Mehmet Yılmaz' }],
  days: [
    {
      date: '2026-06-12',
      title: 'Arrival in Rome',
      primary_location: 'Rome',
      timezone: 'Europe/Rome',
      description: 'Settle in, then stroll through Trastevere at your own pace.',
      segments: [
        {
          ...flight,
          airline_code: 'TK',
          flight_number: '1861',
          departure_airport: 'IST',
          arrival_airport: 'FCO',
          start_time: '2026-06-12T09:05',
          end_time: '2026-06-12T10:45',
          price_amount: '412.5',
          currency: 'EUR',
        },
        {
          segment_type: 'transfer',
          title: 'Private car to the hotel',
          description: 'The driver waits behind the customs with a sign.',
          start_time: '2026-06-12T11:30',
          location_name: 'Fiumicino, Terminal 3',
        },
        {
          ...stay,
          title: 'Hotel Santa Maria',
          start_time: '2026-06-12T15:00',
          end_time: '2026-06-14T11:00',
          location_name: 'Hotel Santa Maria',
          location_address: 'Vicolo del Piede 2, 00153 Roma',
          price_amount: '640',
          currency: 'EUR',
        },
        {
          segment_type: 'dining',
          status: 'option',
          title: 'Dinner at Da Enzo',
          is_optional: true,
          start_time: '2026-06-12T20:00',
          end_time: '2026-06-12T22:00',
          location_name: 'Da Enzo al 29',
          location_address: 'Via dei Vascellari 29, 00153 Roma',
        },
      ],
    },
    {
      date: '2026-06-13',
      title: 'Ancient Rome',
      primary_location: 'Rome',
      timezone: 'Europe/Rome',
      segments: [
        {
          segment_type: 'tour',
          title: 'Colosseum and Forum with a guide',
          is_highlighted: true,
          description: 'Skip-the-line entrance, arena floor included. Bring an identity card.',
          start_time: '2026-06-13T09:15',
          end_time: '2026-06-13T12:30',
          location_name: 'Arch of Constantine',
          price_amount: '98',
          currency: 'EUR',
        },
        { segment_type: 'free_time', title: 'An afternoon to yourselves' },
      ],
    },
    {
      date: '2026-06-14',
      title: 'To Florence',
      primary_location: 'Florence',
      timezone: 'Europe/Rome',
      segments: [
        {
          segment_type: 'rail',
          title: 'Frecciarossa 9512, Roma Termini to Firenze S. M. Novella',
          start_time: '2026-06-14T12:10',
          end_time: '2026-06-14T13:42',
          location_name: 'Roma Termini',
        },
        {
          ...stay,
          title: 'Palazzo Guadagni',
          start_time: '2026-06-14T15:00',
          end_time: '2026-06-15T11:00',
          location_name: 'Palazzo Guadagni',
          location_address: 'Piazza Santo Spirito 9, 50125 Firenze',
        },
      ],
    },
    {
      date: '2026-06-15',
      title: 'Home',
      primary_location: 'Florence',
      timezone: 'Europe/Rome',
      segments: [
        {
          ...flight,
          airline_code: 'TK',
          flight_number: '1874',
          departure_airport: 'FLR',
          arrival_airport: 'SAW',
          start_time: '2026-06-15T21:40',
          end_time: '2026-06-16T01:20',
        },
      ],
    },
  ],
}

/** Capadocia in Turkish, without dates for its last day. */
export const turkish: Written = {
  trip: {
    title: 'Kapadokya’da balayı: Göreme, Ürgüp ve Ihlara',
    start_date: '2026-10-03',
    end_date: '2026-10-05',
    destinations: ['İstanbul', 'Nevşehir', 'Ihlara Vadisi'],
    summary: 'Peri bacalarının arasında üç gün. Sabahları serin olur, kalın bir ceket alın.',
    settings: { language: 'tr' },
  },
  travelers: [{ name: 'Işıl Çağlar' }, { name: 'Oğuz Şahin' }],
  days: [
    {
      date: '2026-10-03',
      title: 'Varış ve gün batımı',
      primary_location: 'Göreme',
      timezone: 'Europe/Istanbul',
      segments: [
        {
          ...flight,
          airline_code: 'TK',
          flight_number: '2006',
          departure_airport: 'IST',
          arrival_airport: 'NAV',
          start_time: '2026-10-03T07:30',
          end_time: '2026-10-03T08:50',
          price_amount: '3450',
          currency: 'TRY',
        },
        {
          ...stay,
          title: 'Taş Konak Otel',
          start_time: '2026-10-03T14:00',
          end_time: '2026-10-05T12:00',
          location_name: 'Taş Konak Otel',
          location_address: 'İsalı Mahallesi, Karşıbucak Sokak 11, Göreme',
          price_amount: '18750',
          currency: 'TRY',
        },
      ],
    },
    {
      date: '2026-10-04',
      title: 'Balon turu',
      primary_location: 'Göreme',
      timezone: 'Europe/Istanbul',
      segments: [
        {
          segment_type: 'activity',
          status: 'proposed',
          is_highlighted: true,
          title: 'Gün doğumunda sıcak hava balonu',
          description: 'Havaya bağlıdır; uçuş olmazsa ertesi sabah yeniden denenir.',
          start_time: '2026-10-04T04:45',
          end_time: '2026-10-04T07:30',
          location_name: 'Otelden alınış',
        },
      ],
    },
    { date: '2026-10-05', title: 'Dönüş', primary_location: 'Nevşehir', timezone: 'Europe/Istanbul' },
  ],
}

/** Texts in Arabic and Hebrew on an English page. */
export const arabic: Written = {
  trip: {
    title: 'رحلة العائلة إلى إسطنبول وبورصة',
    start_date: '2026-04-20',
    end_date: '2026-04-21',
    destinations: ['إسطنبول', 'بورصة', 'ירושלים'],
    summary: 'يومان في مدينة السلاطين. يرجى إحضار جوازات السفر.',
    settings: { language: 'en' },
  },
  travelers: [{ name: 'فاطمة الزهراء' }, { name: 'נועה כהן' }, { name: 'Omar Haddad' }],
  days: [
    {
      date: '2026-04-20',
      title: 'الوصول إلى المدينة',
      primary_location: 'إسطنبول',
      timezone: 'Europe/Istanbul',
      description: 'استراحة في الفندق ثم جولة قصيرة في السلطان أحمد.',
      segments: [
        {
          ...flight,
          airline_code: 'QR',
          flight_number: 'QR239',
          departure_airport: 'DOH',
          arrival_airport: 'IST',
          start_time: '2026-04-20T07:10',
          end_time: '2026-04-20T11:50',
        },
        {
          ...stay,
          title: 'فندق السلطان',
          start_time: '2026-04-20T15:00',
          end_time: '2026-04-21T12:00',
          location_name: 'فندق السلطان',
          location_address: 'Divanyolu Caddesi 4, Sultanahmet',
        },
      ],
    },
    {
      date: '2026-04-21',
      title: 'טיול לבורסה',
      primary_location: 'بورصة',
      timezone: 'Europe/Istanbul',
      segments: [
        {
          segment_type: 'ferry',
          title: 'עבּארה ליאלובה',
          description: 'يرجى الوصول قبل نصف ساعة. The boat leaves on time.',
          start_time: '2026-04-21T08:30',
          end_time: '2026-04-21T09:45',
          location_name: 'Yenikapı',
        },
      ],
    },
  ],
}

const endless = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
/** Words and texts that fit on no line. */
export const long: Written = {
  trip: {
    title: `${endless} Çekoslovakyalılaştıramadıklarımızdanmışsınızcasına ${endless}`.slice(0, 200),
    start_date: '2026-12-30',
    end_date: '2027-01-01',
    destinations: [endless, 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch', 'A'],
    summary: `${endless.repeat(3)} ${'A sentence that goes on and on. '.repeat(30)}`,
    settings: { language: 'tr' },
    status: 'cancelled',
  },
  travelers: [
    { name: endless.repeat(2) },
    ...Array.from({ length: 20 }, (_, at) => ({ name: `Yolcu Numara ${at + 1}` })),
  ],
  days: [
    {
      date: '2026-12-30',
      title: endless.repeat(2),
      primary_location: endless,
      description: `https://example.com/${'a'.repeat(300)}`,
      segments: [
        {
          ...flight,
          airline_code: 'XX',
          flight_number: '99999999',
          departure_airport: 'QQQ',
          arrival_airport: 'LHR',
          start_time: '2026-12-30T23:55',
          end_time: '2027-01-01T00:05',
          price_amount: '123456789012345.67',
          currency: 'EUR',
        },
        {
          segment_type: 'meeting_point',
          status: 'proposed',
          is_optional: true,
          is_highlighted: true,
          title: endless.repeat(3).slice(0, 200),
          description: `${endless.repeat(4)}\n\n${'Uzun bir açıklama. '.repeat(40)}`,
          start_time: '2026-12-30T10:00',
          end_time: '2026-12-30T10:15',
          location_name: endless,
          location_address: endless.repeat(3),
          price_amount: '0.001',
          currency: 'KWD',
        },
      ],
    },
    { date: '2026-12-31', segments: [{ segment_type: 'note', title: null }] },
  ],
}

const dayAfter = (start: string, days: number): string =>
  new Date(Date.parse(`${start}T00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
/** Sixty days: two things to do on each, another hotel every fourth night, a flight every tenth day. */
export const sixtyDays: Written = {
  trip: {
    title: 'Two months around the world',
    start_date: '2026-06-01',
    end_date: '2026-07-30',
    destinations: ['Istanbul', 'Rome'],
  },
  days: Array.from({ length: 60 }, (_, at) => {
    const date = dayAfter('2026-06-01', at)
    const thing = {
      segment_type: at % 2 ? 'tour' : 'activity',
      title: 'The old town with a guide',
      description:
        'Narrow lanes, the market and a coffee where the painters met. Wear good shoes and bring some water.',
      location_name: 'Fountain of the four rivers',
      location_address: 'Piazza Navona, 00186 Roma',
      price_amount: '98',
      currency: 'EUR',
    }
    return {
      date,
      title: 'Another day on the road',
      primary_location: 'Rome',
      timezone: 'Europe/Rome',
      segments: [
        ...(at % 10 === 0
          ? [
              {
                ...flight,
                title: 'TK 1861 IST – ROM',
                airline_code: 'TK',
                flight_number: '1861',
                departure_airport: 'IST',
                arrival_airport: 'FCO',
                start_time: `${date}T09:05`,
                end_time: `${date}T10:45`,
              },
            ]
          : []),
        { ...thing, start_time: `${date}T10:00`, end_time: `${date}T12:30` },
        { ...thing, start_time: `${date}T16:00`, end_time: `${date}T18:00` },
        ...(at % 4 === 0
          ? [
              {
                ...stay,
                title: 'Hotel Santa Maria',
                start_time: `${date}T15:00`,
                end_time: `${dayAfter(date, 4)}T11:00`,
                location_name: 'Hotel Santa Maria',
                location_address: 'Vicolo del Piede 2, 00153 Roma',
              },
            ]
          : []),
      ],
    }
  }),
}
