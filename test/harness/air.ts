/** The content of a test's AIR. Amounts are in one currency; each ticket costs the same. */
export type Air = {
  pnr?: string
  /** Ten digits each, of airline 235, and the name `YILMAZ/AYSE MRS` by default. */
  tickets?: readonly (string | { number: string; name: string })[]
  /** Day of issue, YYMMDD. */
  issued?: string
  sequence?: string
  part?: string
  office?: string
  iata?: string
  sign?: string
  fare?: string
  tax?: string
  total?: string
  currency?: string
  payment?: string
  /** Lines behind each ticket. */
  more?: readonly string[]
  option?: string
}

const AIRLINE = '235'

/** An AIR of tickets by Turkish Airlines, IST-LHR. */
export function airFile({
  pnr = 'ABC123',
  tickets = ['2400000001'],
  issued = '260302',
  sequence = '0200000001',
  part = '1/1',
  office = 'ISTTK2100',
  iata = '99999992',
  sign = '1001AYSU',
  fare = '240.00',
  tax = '60.00',
  total = '300.00',
  currency = 'EUR',
  payment = 'CASH',
  more = [],
  option = '7A',
}: Air = {}): string {
  const [at = '', of = ''] = part.split('/')
  const offices = Array.from({ length: 4 }, () => `${office};${iata}`).join(';')
  const amount = (figure: string, width: number) => `${currency}${figure}`.padEnd(width)
  const passengers = tickets.flatMap((ticket, index) => {
    const { number, name } = typeof ticket === 'string' ? { number: ticket, name: 'YILMAZ/AYSE MRS' } : ticket
    const nth = String(index + 1).padStart(2, '0')
    return [
      `I-0${nth};${nth}${name};;APIST 0000000000 - TEST AGENCY - A;;`,
      `T-K${AIRLINE}-${number}`,
      'FENONREF',
      'FM*M*3',
      `FP${payment}`,
      'FVTK',
      ...more,
      `TKOK02MAR/${office}//ETTK`,
    ]
  })
  return [
    `AIR-BLK207;${option};;247;0000000000;1A1234567;001001`,
    `AMD ${sequence};${part};              `,
    '1A1234567;1A1234567',
    `MUC1A ${pnr}001;${String(tickets.length).padStart(2, '0').repeat(2)};${offices};;;;;;;;;;;;;;;;;;;;;;;TK XYZ789`,
    'A-TURKISH AIRLINES;TK 2354',
    'B-TTP/RT',
    `C-7906/ ${sign}-${sign}-I-0--`,
    `D-${issued};${issued};${issued}`,
    'G-X  ;;ISTLON;',
    'H-001;002OIST;ISTANBUL         ;LHR;LONDON LHR       ;TK    1985 M M 12JUN1510 1715 12JUN;OK01;HK01;M ;0;321;;;1PC;;;ET;0405 ;N;1560;TR;GB;2 ',
    `K-F${amount(fare, 14)};;;;;;;;;;;;${amount(total, 14)};;;`,
    `KFTF; ${amount(tax, 12)}YR VA;;;;;;;;`,
    'L-',
    'M-MLRTR          ',
    'N-NUC;260.00',
    'O-XX12DEC',
    'Q-IST TK LON260.00NUC260.00END ROE0.92',
    ...passengers,
    at === of ? 'ENDX' : 'END',
    '',
  ].join('\r\n')
}

/** The void, restoration or cancelled refund of tickets. */
export const afterwards = (
  action: 'VOID' | 'RSTD' | 'TRFX',
  {
    tickets = ['2400000001'],
    sequence = '0300000001',
    day = '02MAR',
  }: { tickets?: readonly string[]; sequence?: string; day?: string } = {},
): string =>
  [
    'AIR-BLK207;MA;;209;0000000000;1A1234567;001001',
    `AMD ${sequence};1/1;${action}${day};AYSU`,
    '1A1234567;1A1234567',
    'MUC1A ABC123001;0101;ISTTK2100;;ISTTK2100;;ISTTK2100;;ISTTK2100;99999992;;;;;;;;;;;;;;;;;;;;;;TK XYZ789',
    ...tickets.flatMap((number, index) => [
      `I-00${index + 1};0${index + 1}YILMAZ/AYSE MRS;;APIST 0000000000 - TEST AGENCY - A;;`,
      `T-K${AIRLINE}-${number}`,
      'FPCASH',
    ]),
    'ENDX',
    '',
  ].join('\r\n')

/** The refund of one ticket: a fare of 240 of which 40 are retained, and a tax of 60. */
export const refundFile = ({ ticket = '2400000001', sequence = '0500000001', total = '260.00' } = {}): string =>
  [
    'AIR-BLK206;RF;;189;0000000000;1A1234567;001001',
    `AMD ${sequence};1/1;    05MAR;AYSU`,
    '1A1234567;1A1234567',
    'MUC1A          ;  01;ISTTK2100;99999992;;;;;ISTTK2100;99999992;05;;;;;;;;;;;;;;;;;;;;',
    'B-TRFP',
    'C-7906/ 1001AYSU-1001AYSU-F-',
    'D-260302;260305;260305',
    `RFD ;02MAR26;I;EUR240.00;0.00;240.00;;;40.00;;;XT60.00;${total}`,
    'KRF ;QEUR60.00    YR   ;',
    'I-001;01YILMAZ/AYSE MRS;;;;',
    `T-E${AIRLINE}-${ticket}`,
    `R-${AIRLINE}-${ticket};05MAR26`,
    'FM3.00P',
    `FPCASH/EUR${total}`,
    'ENDX',
    '',
  ].join('\r\n')
