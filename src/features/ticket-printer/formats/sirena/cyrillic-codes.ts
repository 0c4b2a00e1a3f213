/**
 * Sirena has codes of its own in Cyrillic letters, which it prints where a place or an airline has no other in the
 * booking. Only those beyond doubt are here: a wrong code would make a flight that nobody takes.
 */
const PLACES = codes(`
  МОВ MOW, ДМД DME, ШРМ SVO, ВНК VKO, ЖУК ZIA, СПТ LED, ПЛК LED, СОЧ AER, КРР KRR, КПА KRR, МХЛ MCX, МРВ MRV, ЕКБ SVX,
  КЛЦ SVX, ОВБ OVB, ТЛЧ OVB, КЯА KJA, ЕМВ KJA, КЗН KZN, ККЗ KZN, УФА UFA, СКЧ KUF, ПРЬ PEE, ЧЛБ CEK, РЩН TJM, ОМС OMS,
  ТСК TOF, КРВ KEJ, НВК NOZ, БАН BAX, ГОР RGK, ИКТ IKT, ВВО VVO, ХБР KHV, ЯКТ YKS, КЛД KGD, МУН MMK, АХГ ARH, СЫВ SCW,
  СУР SGC, НЖВ NJC, НЖС GOJ, НЖК NBC, ИЖВ IJK, ЧБЕ CSY, УЛК ULV, КИО KVX, ИВВ IWA, ВГГ VOG, АСР ASF, ОНГ REN, ОСК OSW,
  МГС MQF, КГН KRO, СУИ SUI, ИЕВ IEV, БСП KBP, ТАС TAS, ДШБ DYU, ХДТ LBD, КГТ KQT, БИШ FRU, ОШШ OSS, АЯТ AYT, ГСВ GZP
`)
const AIRLINES = codes('СУ SU, ЮТ UT, С7 S7, У6 U6, ФВ FV, ДП DP, 5Н 5N')
/** The rouble; every other currency is printed by its ISO 4217 code. */
const CURRENCIES = codes('РУБ RUB')
const PASSENGER_TYPES = codes('ААА ADT, РБГ CHD, РМГ INF, РВГ INS, МЛА YTH, ПЕН SRC')

function codes(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(',').map((pair): [string, string] => pair.trim().split(' ') as [string, string]))
}

const latin =
  (table: ReadonlyMap<string, string>) =>
  (printed: string | null): string | null =>
    printed === null ? null : (table.get(printed.toUpperCase()) ?? printed)

/** What is printed, or the code of IATA, ISO or ATPCO for it. */
export const placeCode = latin(PLACES)
export const airlineCode = latin(AIRLINES)
export const currencyCode = latin(CURRENCIES)
export const passengerTypeCode = latin(PASSENGER_TYPES)
