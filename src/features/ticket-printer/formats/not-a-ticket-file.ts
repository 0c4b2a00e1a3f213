import { xmlIsComplete } from '#client/ticket-file/complete.ts'
import { Unreadable } from '../ticket-file.ts'
import { DAMAGED, WITH_DOCTYPE } from './xml/parse-xml.ts'

/** The beginning of a file, enough to recognize it. */
const REACH = 4000
const READ =
  'Amadeus AIR, Sabre IUR, Galileo and Apollo MIR, Worldspan TAIR, Sirena, TKT, Pegasus, NDC OrderViewRS and Travelport Universal Records'
const AGAIN = 'Send the interface file that the GDS writes for the back office.'

/** Other files found in printer folders, by the beginning of their text. */
const BEGINNINGS: readonly (readonly [begins: RegExp, reason: string])[] = [
  [/^%PDF/, `The file is a PDF. ${AGAIN}`],
  [/^PK[^\w\s]{2}/, 'The file is a ZIP archive or an office document. Extract the files and send them one by one.'],
  [/^(?:[ÐĞ]Ï.à|\{\\rtf)/, `The file is an office document. ${AGAIN}`],
  [/^(?:ÿØÿ|.{0,2}PNG\r?\n|GIF8\d)/, `The file is a picture. ${AGAIN}`],
  [
    /^BFH\d{8}01/,
    'The file is a BSP HOT file, which contains a billing and not a ticket. Use it for the BSP reconciliation.',
  ],
  [/^<(?:!doctype html|html|head|body)\b/i, `The file is a web page. ${AGAIN}`],
  [
    /^(?:Received|Return-Path|Delivered-To|Message-ID|MIME-Version|From|To|Date|Subject|X-[\w-]{1,40}): /i,
    'The file is an e-mail. Send the file that is attached to it.',
  ],
]
const PRINTED = /\b(?:ITINERARY|INVOICE|RECEIPT|ELECTRONIC TICKET|E-?TICKET|BOARDING PASS|FATURA|MAKBUZ)\b/i
const XML_ROOT = /<([A-Za-z_][\w.:-]{0,60})/
/** In UTF-16 that was decoded as another encoding, every second character is NUL. */
const NULS_OF_UTF16 = 0.3
const CONTROLS_OF_BINARY = 0.1

/** Why a file of unknown format cannot be parsed, with a hint at the right file to send. */
export function notATicketFile(text: string, file: string): Unreadable {
  if (text === '') return new Unreadable('The file is empty. Send the complete file again.', 'empty')
  if (file === '') return new Unreadable('The file contains only spaces, zeros and control characters.', 'empty')
  const head = file.slice(0, REACH)
  const beginning = BEGINNINGS.find(([begins]) => begins.test(head))
  if (beginning) return new Unreadable(beginning[1], 'not_a_ticket_file')
  if (file.startsWith('<')) return strangeXml(file, head)
  if (share(text.slice(0, REACH), isNul) > NULS_OF_UTF16) {
    return new Unreadable(
      'The file is in UTF-16 without a byte order mark. Send it with the encoding utf-16le.',
      'wrong_encoding',
    )
  }
  if (share(head, isControl) > CONTROLS_OF_BINARY)
    return new Unreadable(`The file is binary. ${AGAIN}`, 'not_a_ticket_file')
  if (PRINTED.test(head))
    return new Unreadable(`The file is a printed itinerary, invoice or receipt. ${AGAIN}`, 'not_a_ticket_file')
  return new Unreadable(`The file is not in a ticket-printer format that Backdesk reads (${READ}).`, 'unknown_format')
}

function strangeXml(file: string, head: string): Unreadable {
  if (/<!DOCTYPE/i.test(file)) return WITH_DOCTYPE
  // The kind of a truncated file may be lost.
  if (!xmlIsComplete(file)) return DAMAGED
  const root = XML_ROOT.exec(head.replace(/<!--.*?-->/gs, ''))?.[1]
  const of = root ? ` of <${root}>` : ''
  return new Unreadable(`The XML${of} is not in a format that Backdesk reads (${READ}).`, 'unknown_format')
}

const isNul = (code: number): boolean => code === 0
/** Control characters except tabs, line ends and form feeds, and the replacement character. */
const isControl = (code: number): boolean =>
  (code < 0x20 && ![9, 10, 12, 13].includes(code)) || (code >= 0x7f && code < 0xa0) || code === 0xfffd

function share(text: string, test: (code: number) => boolean): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1) if (test(text.charCodeAt(at))) count += 1
  return text === '' ? 0 : count / text.length
}
