import { descendants } from '../xml/parse-xml.ts'
import type { UniversalAnswer } from './listed.ts'

/** An EMD in a remark of a reservation: `-D/996/REFUNDABLE BALANCES/NM-1NOVAK/JANMR/0740000000901C1/8427/UAH`. */
const REMARKED_EMD = /^-[A-Z]\/\w{3}\/([^/]*)\/.*\/(\d{13})C\d{1,2}\/([\d.]+)\/([A-Z]{3})$/

/** Warns of documents that an answer mentions without the data that a sale needs. */
export function warnOfMentioned({ message, warn }: UniversalAnswer): void {
  for (const { text } of descendants(message, 'PassiveRemark').flatMap((remark) => descendants(remark, 'Text'))) {
    const [, reason, number, amount, currency] = REMARKED_EMD.exec(text) ?? []
    if (number)
      warn(
        'emd_left_out',
        `EMD ${number} (${reason}, ${currency} ${amount}) is only mentioned, and was left out. Send the answer that contains the EMD.`,
      )
  }
  for (const { attributes } of [...descendants(message, 'MCO'), ...descendants(message, 'MCOInformation')])
    if (attributes.MCONumber) warn('mco_left_out', `MCO ${attributes.MCONumber} was left out. Enter it by hand.`)
}
