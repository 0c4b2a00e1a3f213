import { AIR_HEADER, AIR_PREAMBLE, IUR_HEADER, MIR_HEADER, stripped } from '#client/ticket-file/signatures.ts'
import {
  type Provider,
  type ReadTicketFile,
  type TicketFile,
  type TicketFileFormat,
  Unreadable,
} from '../ticket-file.ts'
import { readAir } from './air/read-air.ts'
import { withDocumentsOnce } from './documents-once.ts'
import { readIur } from './iur/read-iur.ts'
import { readMir } from './mir/read-mir.ts'
import { readNdc } from './ndc/read-ndc.ts'
import { notATicketFile } from './not-a-ticket-file.ts'
import { readPegasus } from './pegasus/read-pegasus.ts'
import { severalSystems } from './several-systems.ts'
import { readSirena } from './sirena/read-sirena.ts'
import { readTair } from './tair/read-tair.ts'
import { readTkt } from './tkt/read-tkt.ts'
import { isUniversalRecord, providerIn } from './universal-record/messages.ts'
import { readUniversalRecord } from './universal-record/read-universal-record.ts'

/** A file of a known format; `read` parses it, given the day of the capture. */
export type Detected = {
  readonly provider: Provider
  readonly format: TicketFileFormat
  readonly read: (today: string) => TicketFile | Unreadable
}

/** The kind of an XML file shows within this many characters, even behind an envelope. */
const XML_REACH = 20_000
const NDC = /<(?:[\w.-]+:)?(?:IATA_)?Order(?:View|Retrieve|Create|Change|Cancel)RS(?:[\s/>]|$)/
const SIRENA = /<TICKETS\s[^<>]{0,200}version\s*=/
const PEGASUS = /<TICKET>\s*<PNR>/
/** The address of a telegram ends within this many characters. */
const TELEGRAM_REACH = 20
const TKT = /^"\d{0,3}"[,;]"\d{6,13}"[,;]/
const TKT_COLUMNS = 79

/**
 * Detects the format of a file by its content, never by its name: printer folders hold itineraries named `.MIR` and
 * tickets named `.txt`.
 */
export function detect(text: string): Detected | Unreadable {
  const file = stripped(text)
  const found = air(file) ?? mir(file) ?? iur(file) ?? tair(file) ?? xml(file) ?? tkt(file)
  if (!found) return notATicketFile(text, file)
  const several = severalSystems(file, found.format)
  return several ? { ...found, read: () => several } : found
}

const detected = (provider: Provider, format: TicketFileFormat, reader: ReadTicketFile, text: string): Detected => ({
  provider,
  format,
  read: (today) => {
    const file = reader(text, today)
    return file instanceof Unreadable ? file : withDocumentsOnce(file)
  },
})

function air(file: string): Detected | null {
  const found = AIR_HEADER.exec(file.slice(0, AIR_PREAMBLE))
  if (!found) return null
  const header = found[1] as string
  return detected('amadeus', 'air', readAir, file.slice(found.index + found[0].length - header.length))
}

function mir(file: string): Detected | null {
  const system = MIR_HEADER.exec(file)?.[1]
  return system ? detected(system === 'V' ? 'apollo' : 'galileo', 'mir', readMir, file) : null
}

const iur = (file: string): Detected | null => (IUR_HEADER.test(file) ? detected('sabre', 'iur', readIur, file) : null)

function tair(file: string): Detected | null {
  const telegram = file.slice(0, TELEGRAM_REACH).includes('QU ') && /[\r\n]1\\/.test(file) && /[\r\n]A\\/.test(file)
  return telegram ? detected('worldspan', 'tair', readTair, file) : null
}

function xml(file: string): Detected | null {
  if (!file.startsWith('<')) return null
  const head = file.slice(0, XML_REACH)
  if (NDC.test(head)) return detected('ndc', 'ndc_orderview', readNdc, file)
  if (isUniversalRecord(head)) return detected(providerIn(file), 'xml', readUniversalRecord, file)
  if (SIRENA.test(head) || (head.includes('<TICKETS>') && head.includes('<OPTYPE>')))
    return detected('sirena', 'xml', readSirena, file)
  return PEGASUS.test(head) && head.includes('<SR_CODE>') ? detected('pegasus', 'xml', readPegasus, file) : null
}

/** Quoted text with more columns than other lists have, beginning with a document number. */
function tkt(file: string): Detected | null {
  const line = file.slice(0, XML_REACH).split(/[\r\n]/, 1)[0] ?? ''
  const isTkt = TKT.test(line) && line.split(/[,;]/).length >= TKT_COLUMNS
  return isTkt ? detected('unknown', 'tkt', readTkt, file) : null
}
