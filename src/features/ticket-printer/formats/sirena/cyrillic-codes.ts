/**
 * Sirena's own Cyrillic codes, printed for places and airlines without another code in the booking. Only certain codes
 * are listed, because a wrong code would produce a wrong flight.
 */
const PLACES = codes(`
  МОВ MOW, ДМД DME, ШРМ SVO, ВНК VKO, ЖУК ZIA, СПТ LED, ПЛК LED, СОЧ AER, КРР KRR, КПА KRR, МХЛ MCX, МРВ MRV, ЕКБ SVX,
  КЛЦ SVX, ОВБ OVB, ТЛЧ OVB, КЯА KJA, ЕМВ KJA, КЗН KZN, ККЗ KZN, УФА UFA, СКЧ KUF, ПРЬ PEE, ЧЛБ CEK, РЩН TJM, ОМС OMS,
  ТСК TOF, КРВ KEJ, НВК NOZ, БАН BAX, ГОР RGK, ИКТ IKT, ВВО VVO, ХБР KHV, ЯКТ YKS, КЛД KGD, МУН MMK, АХГ ARH, СЫВ SCW,
  СУР SGC, НЖВ NJC, НЖС GOJ, НЖК NBC, ИЖВ IJK, ЧБЕ CSY, УЛК ULV, КИО KVX, ИВВ IWA, ВГГ VOG, АСР ASF, ОНГ REN, ОСК OSW,
  МГС MQF, КГН KRO, СУИ SUI, ИЕВ IEV, БСП KBP, ТАС TAS, ДШБ DYU, ХДТ LBD, КГТ KQT, БИШ FRU, ОШШ OSS, АЯТ AYT, ГСВ GZP
`)
const AIRLINES = codes('СУ SU, ЮТ UT, С7 S7, У6 U6, ФВ FV, ДП DP, 5Н 5N')
/** The rouble; other currencies are printed with their ISO 4217 code. */
const CURRENCIES = codes('РУБ RUB')
const PASSENGER_TYPES = codes('ААА ADT, РБГ CHD, РМГ INF, РВГ INS, МЛА YTH, ПЕН SRC')

function codes(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(',').map((pair): [string, string] => pair.trim().split(' ') as [string, string]))
}

const latin =
  (table: ReadonlyMap<string, string>) =>
  (printed: string | null): string | null =>
    printed === null ? null : (table.get(printed.toUpperCase()) ?? printed)

/** The code of IATA, ISO or ATPCO for a printed code; the printed one if there is no other. */
export const placeCode = latin(PLACES)
export const airlineCode = latin(AIRLINES)
export const currencyCode = latin(CURRENCIES)
export const passengerTypeCode = latin(PASSENGER_TYPES)
