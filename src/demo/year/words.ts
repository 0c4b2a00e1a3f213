/** What trips are called, and of which kind they are. */
type Titled = { readonly title: (city: string) => string; readonly type: string }
export const TRIP_TITLES: Readonly<Record<'short' | 'long' | 'company', readonly Titled[]>> = {
  short: [
    { title: (city) => `${city} kaçamağı`, type: 'leisure' },
    { title: (city) => `${city}: uzun hafta sonu`, type: 'leisure' },
  ],
  long: [
    { title: (city) => `${city} tatili`, type: 'leisure' },
    { title: (city) => `${city} tatili`, type: 'leisure' },
    { title: (city) => `Ailece ${city}`, type: 'family' },
    { title: (city) => `${city} balayı`, type: 'honeymoon' },
  ],
  company: [
    { title: (city) => `${city} ekip gezisi`, type: 'corporate' },
    { title: (city) => `${city} bayi toplantısı`, type: 'mice' },
  ],
}

type Said = Readonly<Record<'en' | 'tr', readonly string[]>>
/** What customers say of their trips, by how they liked them. */
export const COMMENTS: Readonly<Record<'delighted' | 'content' | 'disappointed', Said>> = {
  delighted: {
    tr: [
      'Her şey düşünülmüştü. Bir sonraki tatili de sizinle planlayacağız.',
      'Otel tam anlatıldığı gibiydi, manzara için ayrıca teşekkürler.',
      'Uçak rötar yaptı, transfer yine de bizi bekledi. Çok rahat ettik.',
      'Rehberimiz harikaydı, çocuklar bile sıkılmadı.',
      'Elinize sağlık, annemle babam hâlâ anlatıyor.',
      'Geç saatte yazdım, on dakikada yanıt geldi. Böyle ilgi görmemiştik.',
      'Odaya bırakılan çiçekler için çok teşekkürler, eşim çok sevindi.',
    ],
    en: [
      'Everything worked, from the airport to the last breakfast. Thank you!',
      'Lovely hotel and a very kind driver. We will be back.',
      'You found us a room on the quiet side, as promised. That made all the difference.',
      'The half-day with the guide was the best part of the week.',
    ],
  },
  content: {
    tr: [
      'Genel olarak memnunduk, yalnız oda geç teslim edildi.',
      'Güzeldi ama kahvaltı saatleri bize erken geldi.',
      'Otel iyiydi, plaja yürüme mesafesi biraz uzun.',
    ],
    en: [
      'Nice stay, though the room was smaller than in the pictures.',
      'All fine. The airport transfer could have been a little earlier.',
    ],
  },
  disappointed: {
    tr: [
      'Oda ayırttığımız oda değildi, iki gün boyunca değiştirilmedi. Resepsiyonla tek başımıza uğraştık.',
      'Transfer gelmedi, çocuklarla bir saat bekledik ve sonunda taksi tuttuk.',
      'Klima bütün hafta çalışmadı. Aradığımızda ilgilenileceği söylendi, kimse gelmedi.',
      'Tur programı son anda kısaltıldı, haber verilmedi.',
    ],
    en: [
      'The room was not the one we had booked, and it took two days and many calls to change it.',
      'Nobody was at the airport. We waited an hour with two children and took a taxi in the end.',
      'The air conditioning never worked. We were told somebody would come, and nobody did.',
      'The tour was cut short without a word. For that price I expected more.',
    ],
  },
}

/** What the agency gave to make up for it, in its own currency. */
export const GESTURES = [
  { description: 'Oda farkının iadesi', amount: '4800.00' },
  { description: 'Taksi ücreti iadesi ve bir sonraki transfer bizden', amount: '1450.00' },
  { description: 'Bir gecelik konaklama bedelinin iadesi', amount: '6200.00' },
  { description: 'Kısalan turun bedeli', amount: '2750.00' },
  { description: 'Özür notuyla lokum ve çiçek', amount: '650.00' },
]

/** Codes that the agency itself hands on, beside those of customers. */
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
