import { type DocumentAction, NO_FARE, type TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT, BLANK_REFUND } from '../blank.ts'
import { documentsOnce } from '../documents-once.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import type { Warn } from '../warnings.ts'
import { readExchange } from './exchanges.ts'
import { type LinesOfTag, readFares } from './fares.ts'
import type { AirHeader } from './header.ts'
import { type Air, field, type Line, linesFor, linesOf, type PassengerBlock } from './lines.ts'
import { type Miscellaneous, readMiscellaneous, ticketIn } from './miscellaneous.ts'
import { type DocumentNumber, readDocumentNumber } from './numbers.ts'
import { readCommission, readPayment, withoutOrigin } from './payment.ts'
import { readRefund } from './refunds.ts'

/** The type of miscellaneous document that is an EMD. */
const EMD = 'D'
type Content = {
  readonly air: Air
  readonly header: AirHeader
  readonly action: DocumentAction
  /** The coupons of a ticket, with the status of its flights. */
  readonly coupons: TicketDocument['coupons']
  readonly today: string
  readonly warn: Warn
}
type Context = Content & { readonly miscellaneous: ReadonlyMap<string, Miscellaneous> }
/** What the documents of one passenger are parsed from. */
type Holder = { readonly context: Context; readonly of: LinesOfTag }
type Numbered = DocumentNumber & {
  readonly passenger: number
  readonly kind: TicketDocument['kind']
  readonly line: Line
}

/** The documents of all passengers, in the order of the file. */
export function readDocuments(content: Content): TicketDocument[] {
  const { air, action, warn } = content
  const context = { ...content, miscellaneous: readMiscellaneous(air, warn) }
  const numbered = documentsOnce(
    air.passengers.flatMap((block, passenger) => numbersOf(block, passenger, warn)),
    warn,
  )
  const byPassenger = Map.groupBy(numbered, ({ passenger }) => passenger)
  return air.passengers.flatMap((block, passenger) => {
    const of: LinesOfTag = (tag) => linesFor(air, block, tag)
    const holder = { context, of }
    const own = byPassenger.get(passenger) ?? []
    const [tickets, others] = [own.filter(isTicket), own.filter((each) => !isTicket(each))]
    if (action === 'issue') return [...issuedTickets(holder, tickets), ...issuedOthers(holder, others)]
    // A miscellaneous document changes on its own; the passenger's ticket is then the one that it belongs to.
    const changed = others.length > 0 ? others : tickets
    return changed.map((each, at) => changedDocument(holder, each, at === 0))
  })
}

const isTicket = ({ kind }: Numbered): boolean => kind === 'ticket'

const numbersOf = (block: PassengerBlock, passenger: number, warn: Warn): Numbered[] =>
  ['T-', 'TMC'].flatMap((tag) =>
    linesOf(block.own, tag).flatMap((line): Numbered[] => {
      const number = readDocumentNumber(field(line, 0), warn)
      if (!number) return []
      const miscellaneous = number.type === EMD ? 'emd' : 'mco'
      return [{ ...number, passenger, kind: tag === 'TMC' ? miscellaneous : 'ticket', line }]
    }),
  )

/** A document that is voided, refunded or restored, with the refunded amounts. */
function changedDocument(holder: Holder, changed: Numbered, isFirst: boolean): TicketDocument {
  const { action, header, today, warn, miscellaneous } = holder.context
  const document = { ...BLANK_DOCUMENT, ...numberOf(changed) }
  if (action !== 'refund') return document
  const of = isTicket(changed) ? holder.of : preferringOwn(holder.of, changed)
  const commission = readCommission(field(of('FM')[0], 0), warn)
  const described = miscellaneous.get(changed.line.document ?? '')
  return {
    ...document,
    formOfPayment: paymentOf(of('FP')),
    tourCode: textOf(of('FT')),
    endorsement: textOf(of('FE')),
    services: described?.services ?? [],
    associatedWith: described?.associatedWith ?? null,
    refund: isFirst ? readRefund({ of, header, commission, today }, warn) : BLANK_REFUND,
  }
}

/** Elements of a miscellaneous document have the tags of a ticket's, with an M before them. */
const ownLines = (of: LinesOfTag, { line }: Numbered, tag: string): readonly Line[] =>
  of(tag).filter(({ document }) => document === null || document === line.document)
const preferringOwn =
  (of: LinesOfTag, numbered: Numbered): LinesOfTag =>
  (tag) => {
    const own = ownLines(of, numbered, `M${tag}`)
    return own.length > 0 ? own : of(tag)
  }

/** A passenger has one fare; if two tickets share it, the first one carries it. */
function issuedTickets(holder: Holder, numbered: readonly Numbered[]): TicketDocument[] {
  const [first, ...others] = numbered
  if (!first) return []
  if (others.length > 0) {
    const why = 'A passenger has several tickets but one fare, which was assigned to the first ticket.'
    holder.context.warn('several_tickets', `${why} Split it by hand.`)
  }
  const common = { ...BLANK_DOCUMENT, ...elementsOf(holder) }
  return [
    { ...common, ...numberOf(first), ...pricedTicket(holder), coupons: holder.context.coupons },
    ...others.map((each) => ({ ...common, ...numberOf(each) })),
  ]
}

const numberOf = ({ number, kind, conjunctions, passenger }: Numbered) => ({ number, kind, conjunctions, passenger })

const elementsOf = ({ context, of }: Holder) => ({
  airline: context.header.airline?.code ?? carrierOf(of),
  issuedOn: context.header.issuedOn,
  formOfPayment: paymentOf(of('FP')),
  tourCode: textOf(of('FT')),
  endorsement: textOf(of('FE')),
})

function pricedTicket({ context, of }: Holder) {
  const { isReissue, ...fares } = readFares(of, context.warn)
  const exchanged = { issues: of('FO'), hand: of('FH'), payments: of('FP'), arithmetic: of('ATC-')[0] }
  return {
    ...fares,
    fareCalculation: textOf(of('Q-').slice(0, 1)),
    commission: readCommission(field(of('FM')[0], 0), context.warn),
    exchange: readExchange({ ...exchanged, fare: fares.fare, isReissue }, context.warn),
  }
}

/** The validating carrier in its own element. */
export const carrierOf = (of: LinesOfTag): string | null =>
  /^[A-Z0-9]{2}/.exec(withoutOrigin(field(of('FV')[0], 0)))?.[0] ?? null

function issuedOthers({ context, of }: Holder, numbered: readonly Numbered[]): TicketDocument[] {
  const { header, miscellaneous, warn } = context
  return numbered.map((each) => {
    const { line, number } = each
    const described = miscellaneous.get(line.document ?? '')
    if (!described) warn('no_amounts', `The file has no price for document ${number}. Enter it by hand.`)
    const own = (tag: string) => ownLines(of, each, tag)
    const fare = described?.fare ?? NO_FARE
    const parts = { issues: own('MFO'), hand: [], payments: own('MFP'), arithmetic: undefined, fare }
    return {
      ...BLANK_DOCUMENT,
      ...numberOf(each),
      airline: described?.carrier ?? null,
      issuedOn: header.issuedOn,
      fare,
      fareCalculation: described?.fareCalculation ?? null,
      commission: readCommission(field(own('MFM')[0], 0), warn),
      formOfPayment: paymentOf(own('MFP')),
      tourCode: textOf(own('MFT')),
      services: described?.services ?? [],
      associatedWith: described?.associatedWith ?? ticketIn(field(line, 1)),
      exchange: readExchange({ ...parts, isReissue: described?.isReissue ?? false }, warn),
    }
  })
}

/** The texts of an element's lines, without repetition. */
function textsIn(lines: readonly Line[]): string[] {
  const texts = lines.map((line) => withoutOrigin(field(line, 0)))
  return texts.length > 1 ? [...new Set(texts)] : texts
}
const paymentOf = (lines: readonly Line[]): TicketDocument['formOfPayment'] => readPayment(textsIn(lines).join('+'))
const textOf = (lines: readonly Line[]): string | null => printedText(withoutLikelyCards(textsIn(lines).join(' ')))
