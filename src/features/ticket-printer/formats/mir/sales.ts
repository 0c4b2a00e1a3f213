import { type Fare, NO_FARE, type TicketDocument } from '../../ticket-file.ts'
import { BLANK_DOCUMENT } from '../blank.ts'
import { paidIn } from '../payments.ts'
import { impliedAmount, printedText } from '../printed.ts'
import { equalSums, isZero, mirCommission } from './amounts.ts'
import type { Bases } from './bases.ts'
import type { Emd } from './emds.ts'
import { exchangesOf } from './exchanges.ts'
import { fareCalculationsOf } from './fare-calculations.ts'
import { agreementOf, faresOf } from './fares.ts'
import { mcoOf } from './mcos.ts'
import type { Mir } from './mir.ts'
import type { Numbered } from './numbers.ts'
import type { Party } from './party.ts'
import type { PassengerEntry } from './passengers.ts'
import { paymentsOf } from './payments.ts'
import { serviceFeesOf } from './service-fees.ts'

export type MirSale = {
  readonly entries: readonly PassengerEntry[]
  readonly tickets: readonly Numbered[]
  readonly emds: readonly Emd[]
  readonly party: Party
  readonly bases: Bases
  /** Whether EMDs were given in for the EMDs: a file of tickets has their exchange elsewhere. */
  readonly exchangesEmds: boolean
}

/** The documents of an issue or an exchange, with their prices. */
export function soldDocuments(mir: Mir, sale: MirSale): TicketDocument[] {
  const { header, warn } = mir
  const { entries, tickets, emds, party, bases } = sale
  const calculations = fareCalculationsOf(mir)
  const priceOf = faresOf(mir, calculations)
  const payments = paymentsOf(mir, Math.max(1, entries.length))
  const exchanges = exchangesOf(mir, sale.exchangesEmds ? emds.length : tickets.length)
  const fees = serviceFeesOf(mir)
  const mco = mcoOf(mir, bases, calculations)
  // A rate in hundredths of a percent, or an amount without its decimal point.
  const commission = mirCommission(
    impliedAmount(header.commissionRate, 2),
    impliedAmount(header.commission, header.decimals),
  )

  const ticketOf = ({ entry, number, conjunctions, passenger }: Numbered): TicketDocument => {
    const { fare, ...price } = priceOf(entry.fareItem)
    if (fare === NO_FARE) warn('no_fare', `The file has no fare for document ${number}.`)
    const currency = fare.total?.currency ?? header.currency
    const exchanged = exchanges.of(entry.exchangeItem, payments.ofAlone(passenger), currency)
    return {
      ...BLANK_DOCUMENT,
      number,
      kind: 'ticket',
      conjunctions,
      passenger,
      airline: printedText(header.airline),
      issuedOn: entry.ticketedOn ?? header.day,
      fare: { ...fare, paidTaxes: exchanged?.paidTaxes ?? [] },
      ...price,
      commission,
      serviceFee: fees.get(entry.name) ?? null,
      formOfPayment: paidIn(payments.of(passenger)),
      tourCode: printedText(header.tourCode) ?? agreementOf(mir),
      endorsement: bases.ofFare.get(entry.fareItem) ?? null,
      exchange: exchanged?.exchange ?? null,
      ...mco,
    }
  }

  const emdOf = (emd: Emd): TicketDocument => {
    const { number, conjunctions, fare, formOfPayment, endorsement, associatedWith, services } = emd
    const passenger = party.indexOf(emd.name, emd.passenger - 1)
    const item = entries[passenger]?.exchangeItem ?? ''
    const currency = fare.total?.currency ?? header.currency
    const exchanged = sale.exchangesEmds ? exchanges.of(item, payments.ofAlone(passenger), currency) : null
    return {
      ...BLANK_DOCUMENT,
      number,
      kind: 'emd',
      conjunctions,
      passenger,
      airline: emd.airline ?? printedText(header.airline),
      issuedOn: header.day,
      fare: { ...fare, paidTaxes: exchanged?.paidTaxes ?? [] },
      formOfPayment,
      endorsement,
      services,
      associatedWith,
      exchange: exchanged?.exchange ?? null,
    }
  }

  const documents = [...tickets.map(ticketOf), ...emds.map(emdOf)]
  const isExchange = exchanges.any || header.isExchange === 'Y' || sale.exchangesEmds
  if (isExchange && documents.length > 0 && documents.every(({ exchange }) => exchange === null)) {
    warn('exchange_details', 'The file does not name the document that was exchanged. Enter its number.')
  }
  if (commission?.amount && tickets.length > 1) {
    const message = `The file does not state which document the commission of ${commission.amount} belongs to. It was assigned to each one. Check it.`
    warn('commission_amount', message)
  }
  comparePartyFare(mir, documents)
  return documents
}

/** The header has the sum of the fares without taxes, which reveals a misread or missing fare. */
function comparePartyFare({ header, warn }: Mir, documents: readonly TicketDocument[]): void {
  const { currency } = header
  const amount = impliedAmount(header.partyFare, header.decimals)
  const fares = documents.filter(({ kind }) => kind !== 'emd').map(({ fare }) => soldFor(fare))
  if (amount === null || isZero(amount) || fares.length === 0) return
  const sold = fares.filter((fare) => fare !== null)
  const isComparable = sold.length === fares.length && sold.every((fare) => fare.currency === currency)
  if (isComparable && !equalSums(sold, [{ currency, amount }])) {
    warn('party_fare', `The fares do not add up to the total of ${currency} ${amount} in the header. Check the fares.`)
  }
}

const soldFor = ({ equivalent, base }: Fare) => equivalent ?? base
