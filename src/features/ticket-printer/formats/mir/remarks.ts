import type { TicketFile } from '../../ticket-file.ts'
import { printedText, withoutLikelyCards } from '../printed.ts'
import { accountIn, accountOf } from './accounts.ts'
import { locatorIn } from './locators.ts'
import type { Mir } from './mir.ts'
import { isRequest } from './requests.ts'
import { taggedLine } from './sections.ts'

/** The sections of free text (customer, company, address, office and segments), and the column where it begins. */
const SECTIONS = Object.entries({ A00: 3, A01: 3, A13: 3, A14: 3, A15: 5 })
/** The payee of an MCO, and the place. */
const PAYABLE_AT = 6
const AUTHORITY = 'AU:'

/** The remarks of agents, except for those parsed into fields. */
export function mirRemarks(mir: Mir): TicketFile['remarks'] {
  const account = accountOf(mir)
  const isRead = (line: string) =>
    locatorIn(line) !== null || isRequest(line) || (account !== null && accountIn(line) === account)
  const texts = SECTIONS.flatMap(([section, textAt]) =>
    mir
      .items(section)
      .flatMap(({ line, more }) => [line, ...more.map((each) => ''.padEnd(textAt) + each)])
      .filter((line) => !isRead(line))
      .map((line) => line.slice(textAt)),
  )
  const payable = mir.items('A19').map(({ line }) => line.slice(PAYABLE_AT).replace(/ {2,}/g, ' '))
  const authorities = mir.items('A23').flatMap((item) => {
    const authority = printedText(taggedLine(item, AUTHORITY) ?? '')
    return authority === null ? [] : [AUTHORITY + authority]
  })
  return [...texts, ...payable, ...authorities].flatMap((text) => printedText(withoutLikelyCards(text)) ?? [])
}
