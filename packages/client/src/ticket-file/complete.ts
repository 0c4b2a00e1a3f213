import { AIR_HEADER, AIR_PREAMBLE, IUR_HEADER, MIR_HEADER, stripped } from './signatures.ts'

const AIR_END = /[\r\nm]ENDX?(?:[\r\nm]|$)/
/** Characters that a MIR may have fewer than it declares: the form feed and the empty lines behind it get lost. */
const MIR_TOLERANCE = 8
const MIR_LINE_END = /\r\n|\r|\n/g
/** The kinds of an IUR whose first line counts the records that follow. */
const IUR_COUNTED = '123A'
const IUR_COUNTS = { from: 186, width: 3, records: ['M1', 'M2', 'M3', 'M4', 'M5', 'M6'] } as const
const IUR_RECORD = /^M[1-6][A-Z\d]{2}/gm
const XML_ROOT = /<([A-Za-z_][\w.:-]*)/
/** A root element without content may end in its own tag. */
const EMPTY_ROOT = /^(?:<\?[^<>]*>\s*)?<[A-Za-z_][^<>]*\/>$/
/** The root element of an XML file starts within this many characters, and its start tag ends within this many. */
const XML_REACH = 4000
const BLANK = 0x20

/**
 * Whether a file that may still be being written has its end mark. Formats without one are complete as soon as there
 * is something; errors of a file are reported when it is read.
 */
export function isComplete(text: string): boolean {
  const file = stripped(text)
  if (file === '') return false
  if (AIR_HEADER.test(file.slice(0, AIR_PREAMBLE))) return airIsComplete(file)
  const mir = MIR_HEADER.exec(file)
  if (mir) return mirIsComplete(file, Number(mir[2]))
  const iur = IUR_HEADER.exec(file)
  if (iur) return iurIsComplete(file, iur[1] as string)
  return !file.startsWith('<') || xmlIsComplete(file)
}

/** The last part of an AIR ends with ENDX, earlier parts with END. Mail programs append their own lines. */
const airIsComplete = (file: string): boolean => AIR_END.test(withoutTail(file).slice(-AIR_PREAMBLE))

function mirIsComplete(file: string, declared: number): boolean {
  return file.replace(MIR_LINE_END, '\n').length + MIR_TOLERANCE >= declared
}

function iurIsComplete(file: string, type: string): boolean {
  if (!IUR_COUNTED.includes(type) || /\f\s*$/.test(file.slice(-20))) return true
  const found = file.match(IUR_RECORD) ?? []
  return IUR_COUNTS.records.every((record, at) => {
    const from = IUR_COUNTS.from + at * IUR_COUNTS.width
    const counted = Number(file.slice(from, from + IUR_COUNTS.width))
    return Number.isNaN(counted) || found.filter((line) => line.startsWith(record)).length >= counted
  })
}

/** Whether an XML has the end of its root element. */
export function xmlIsComplete(file: string): boolean {
  const beginning = withoutComments(file.slice(0, XML_REACH))
  if (file.length <= XML_REACH && EMPTY_ROOT.test(withoutTail(beginning))) return true
  const root = XML_ROOT.exec(beginning)?.[1]
  const end = withoutComments(withoutTail(file.slice(-XML_REACH)))
  const closing = end.slice(end.lastIndexOf('</'))
  return root !== undefined && closing.endsWith('>') && closing.slice(2, -1).trim() === root
}

const withoutComments = (xml: string): string => xml.replace(/<!--.*?-->/gs, '').trim()

/** Without the blank and control characters at the end. */
function withoutTail(file: string): string {
  let end = file.length
  while (end > 0 && file.charCodeAt(end - 1) <= BLANK) end -= 1
  return file.slice(0, end)
}
