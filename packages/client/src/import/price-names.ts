/** Words for prices in the languages of agencies, without accents. */
const PRICE = new Set(
  [
    'price prices amount amounts cost costs fare fares rate total subtotal net gross tax taxes vat fee fees commission',
    'markup margin discount sell selling balance paid deposit charge charges payable',
    'fiyat fiyati tutar tutari ucret ucreti maliyet maliyeti toplam kdv komisyon komisyonu bedel bedeli indirim vergi',
    'bakiye odenen kapora',
    'preis betrag kosten summe gesamt gebuhr gebuehr provision rabatt steuer mwst netto brutto saldo anzahlung',
    'prezzo importo costo totale tariffa tassa tasse iva lordo commissione sconto acconto',
    'precio importe coste costes tarifa impuesto impuestos prix montant cout taxe tva remise acompte',
    'τιμη ποσο κοστος συνολο φπα προμηθεια цена сумма стоимость комиссия سعر مبلغ تكلفة',
    'eur usd gbp chf tl',
  ].flatMap((words) => words.split(' ')),
)
/** German writes compounds as one word. */
const PRICE_ENDING = /(?:preis|betrag|kosten|summe|gebuhr)$/
/** Words that make something else of it: a tax number, a number of nights, a name. */
const OTHERWISE = new Set(
  [
    'number no nr num id code office name date day type status currency note notes method basis by terms class plan',
    'guests guest pax nights night days persons people rooms room adults children count quantity qty points miles km hours',
    'numarasi numara dairesi daire kodu kod adi tarihi tarih turu tipi durumu birimi kisi gece gun oda adet sayisi',
    'nummer datum amt art anzahl numero data codice notti giorni',
  ].flatMap((words) => words.split(' ')),
)
const CURRENCY_SIGN = /[€$£₺¥₽]/
const AMOUNT_WITH_CURRENCY = /^(?:[€$£₺¥₽]\s?-?[\d.,]+|-?[\d.,]+\s?(?:[€$£₺¥₽]|EUR|USD|GBP|CHF|TRY|TL))$/i

/** Whether a column name suggests prices. */
export function looksLikePrice(name: string): boolean {
  if (CURRENCY_SIGN.test(name)) return true
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .split(/[^\p{L}\p{N}]+/u)
  if (words.some((word) => OTHERWISE.has(word))) return false
  return words.some((word) => PRICE.has(word) || PRICE_ENDING.test(word))
}

export const isAmountWithCurrency = (cell: string): boolean => AMOUNT_WITH_CURRENCY.test(cell.trim()) && /\d/.test(cell)
