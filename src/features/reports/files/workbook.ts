import type { ShownColumn } from '../report-text.ts'

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The cell styles: two kinds of headings, and the number formats. */
const FORMATS = ['day', 'moment', '0', '#,##0', '#,##0.0', '#,##0.00', '#,##0.000', '#,##0.0000'] as const
export type CellFormat = (typeof FORMATS)[number]
const HEADING = 1
const RIGHT_HEADING = 2
export const styleOf = (format: CellFormat): number => FORMATS.indexOf(format) + 3
const FIRST_FORMAT = 164 // those below are Excel's own

const RIGHT: ReadonlySet<string> = new Set(['money', 'integer', 'decimal', 'percent', 'date', 'datetime'])
/** Headings are aligned like their cells: numbers and days to the right. */
export const headingOf = ({ type }: ShownColumn): number => (RIGHT.has(type) ? RIGHT_HEADING : HEADING)

function styles(day: string): string {
  const codes: Partial<Record<CellFormat, string>> = { day, moment: `${day}\\ hh:mm` }
  const formats = FORMATS.map(
    (format, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${attribute(codes[format] ?? format)}"/>`,
  )
  const cells = FORMATS.map((_, at) => `<xf numFmtId="${FIRST_FORMAT + at}" applyNumberFormat="1"/>`)
  const font = (bold: string) => `<font>${bold}<sz val="11"/><name val="Calibri"/></font>`
  return `<styleSheet xmlns="${MAIN}"><numFmts count="${FORMATS.length}">${formats.join('')}</numFmts><fonts count="2">${font('')}${font('<b/>')}</fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${FORMATS.length + 3}"><xf/><xf fontId="1" applyFont="1"/><xf fontId="1" applyFont="1" applyAlignment="1"><alignment horizontal="right"/></xf>${cells.join('')}</cellXfs></styleSheet>`
}

/** The parts of every workbook with one sheet, except the sheet; days have the format `day`. */
export const workbookParts = (title: string, day: string): readonly (readonly [name: string, xml: string])[] => [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="${attribute(sheetName(title))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles(day)],
]

const NAME_MAXIMUM = 31
/** A name that Excel takes for a sheet: not empty, at most 31 characters, and without the signs that references have. */
export function sheetName(title: string): string {
  const plain = writable(title)
    .replace(/[[\]:*?/\\\s]+/g, ' ')
    .slice(0, NAME_MAXIMUM)
    .toWellFormed()
  return plain.replace(/^[' ]+|[' \ufffd]+$/g, '') || 'Report'
}

/** What XML cannot hold at all. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const writable = (text: string): string => text.toWellFormed().replace(UNWRITABLE, '')
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
/** A text as XML has it between tags. */
export const escaped = (text: string): string => writable(text).replace(/[&<>\r]/g, (sign) => ENTITIES[sign] ?? sign)
const attribute = (text: string): string => escaped(text).replaceAll('"', '&quot;')
