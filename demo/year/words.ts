type Language = 'en' | 'tr'

/** What trips are called, and of which kind they are. */
type Titled = Readonly<Record<Language, (city: string) => string>> & { readonly type: string }
export const TRIP_TITLES: Readonly<Record<'short' | 'long' | 'company', readonly Titled[]>> = {
  short: [
    { tr: (city) => `${city} kaçamağı`, en: (city) => `A few days in ${city}`, type: 'leisure' },
    { tr: (city) => `${city}: uzun hafta sonu`, en: (city) => `${city}: a long weekend`, type: 'leisure' },
  ],
  long: [
    { tr: (city) => `${city} tatili`, en: (city) => `Holiday in ${city}`, type: 'leisure' },
    { tr: (city) => `${city} günleri`, en: (city) => `Days in ${city}`, type: 'leisure' },
    { tr: (city) => `Ailece ${city}`, en: (city) => `Family holiday in ${city}`, type: 'family' },
    { tr: (city) => `${city} balayı`, en: (city) => `Honeymoon in ${city}`, type: 'honeymoon' },
  ],
  company: [
    { tr: (city) => `${city} ekip gezisi`, en: (city) => `Team days in ${city}`, type: 'corporate' },
    { tr: (city) => `${city} bayi toplantısı`, en: (city) => `${city}: dealers’ meeting`, type: 'mice' },
  ],
}
export const SEGMENT_TITLES: Readonly<
  Record<'transfer' | 'tour', Readonly<Record<Language, (city: string) => string>>>
> = {
  transfer: { tr: () => 'Havalimanından otele transfer', en: () => 'Transfer from the airport to the hotel' },
  tour: { tr: (city) => `${city}: rehberle yarım gün`, en: (city) => `${city}: half a day with a guide` },
}

/** Comments on trips, by satisfaction. */
export const COMMENTS: Readonly<
  Record<'delighted' | 'content' | 'disappointed', Readonly<Record<Language, readonly string[]>>>
> = {
  delighted: {
    tr: [
      'Her şey düşünülmüştü. Bir sonraki yolculuğu da sizinle planlayacağız.',
      'Otel tam anlatıldığı gibiydi, manzara için ayrıca teşekkürler.',
      'Geç saatte yazdık, on dakikada yanıt geldi. Böyle ilgi görmemiştik.',
      'Elinize sağlık, kahvaltıyı hâlâ anlatıyoruz.',
      'Odaya bırakılan çiçekler çok ince bir düşünceydi.',
      'Programda nefes alacak yer bırakmanız çok iyi olmuş.',
    ],
    en: [
      'Everything worked, from the first mail to the last breakfast. Thank you!',
      'Lovely hotel, and you found us rooms on the quiet side, as promised.',
      'You answered late at night when our plans changed. We will be back.',
      'The little map with your favourite places was the best part.',
    ],
  },
  content: {
    tr: [
      'Genel olarak memnunduk, yalnız oda geç teslim edildi.',
      'Güzeldi ama kahvaltı saatleri bize erken geldi.',
      'Otel iyiydi, merkeze yürüme mesafesi biraz uzun.',
    ],
    en: [
      'A nice stay, though the rooms were smaller than in the pictures.',
      'All fine. Breakfast could have been a little better.',
    ],
  },
  disappointed: {
    tr: [
      'Verilen oda ayırttığımız oda değildi, iki gün boyunca değiştirilmedi. Resepsiyonla tek başımıza uğraştık.',
      'Oda hazır değildi, lobide dört saat bekledik. Aradığımızda kimse yardımcı olmadı.',
      'Klima bütün hafta çalışmadı. İlgilenileceği söylendi, kimse gelmedi.',
      'Otel inşaat hâlindeydi, kimse haber vermemişti.',
    ],
    en: [
      'The room was not the one we had booked, and it took two days and many calls to change it.',
      'The air conditioning never worked. We were told that somebody would come, and nobody did.',
      'Half of the hotel was a building site. Somebody should have told us.',
      'Our room was not ready until the evening, and nobody at the desk knew of our booking.',
    ],
  },
}

/** What the agency gave to make up for it, in its own currency. */
export const GESTURES = [
  { description: 'Oda farkının iadesi', amount: '4800.00' },
  { description: 'Bir sonraki seyahatte havalimanı transferi bizden', amount: '1450.00' },
  { description: 'Bir gecelik konaklama bedelinin iadesi', amount: '6200.00' },
  { description: 'Bir sonraki seyahat için indirim', amount: '2750.00' },
  { description: 'Özür notuyla lokum ve çiçek', amount: '650.00' },
]

/** Codes that the agency hands out itself, besides those of customers. */
export const OWN_CODES = ['Instagram profili', 'Kadıköy vitrini']
export const ENQUIRIES = [
  { destinations: ['Kapadokya'], message: 'Üç gece, balon turuyla birlikte fiyat alabilir miyiz?', party_size: 2 },
  { destinations: ['Bodrum'], message: 'Yazın bir hafta, iki aile. Çocuklar 4 ve 9 yaşında.', party_size: 7 },
  {
    destinations: ['Roma', 'Floransa'],
    message: 'Arkadaşlarımızın gezisine benzer bir plan istiyoruz.',
    party_size: 4,
  },
  { destinations: ['Tokyo'], message: 'Kiraz çiçeği zamanı için erken soruyoruz.', party_size: 2 },
  { destinations: ['London'], message: 'A long weekend with theatre tickets, please.', party_size: 2 },
]
